/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exit_status.c - says what the exit status of a command line means. */
#include "guard/exit_status.h"

#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

#define SIGNALS 64

struct status_row {
    const char *program; /* NULL: any program */
    int status;
    const char *meaning;
    bool answers; /* the program did its work: nothing is wrong */
};

static const struct status_row rows[] = {
    {"cmp", 1, "the files differ", true},
    {"curl", 6, "could not resolve host", false},
    {"curl", 7, "connection refused", false},
    {"curl", 22, "the server answered with an error", false},
    {"curl", 28, "timed out", false},
    {"curl", 60, "the server's certificate is not trusted", false},
    {"diff", 1, "the files differ", true},
    {"egrep", 1, "no line matched", true},
    {"grep", 1, "no line matched", true},
    {"grep", 2, "a file could not be read, or the pattern is wrong", false},
    {"ls", 2, "a named file could not be read", false},
    {"make", 2, "a command of the makefile failed", false},
    {"pgrep", 1, "no process matched", false},
    {"pkill", 1, "no process matched", false},
    {"rg", 1, "no line matched", true},
    {"ssh", 255, "no connection, or the exit status of the remote command",
     false},
    {"test", 1, "the condition is false", true},
    {"[", 1, "the condition is false", true},
    {"timeout", 124, "timed out", false},
    {"wget", 4, "the network failed", false},
    {"wget", 8, "the server answered with an error", false},
    {"xargs", 123, "one of the commands that it ran failed", false},
    {NULL, 0, "it succeeded", false},
    {NULL, 1, "it failed; see its output", false},
    {NULL, 2, "it failed; often a usage error", false},
    {NULL, 126, "not executable", false},
    {NULL, 127, "command not found", false},
    {NULL, EXIT_STATUS_SIGNALLED + 2, "interrupted by Ctrl-C", false},
    {NULL, EXIT_STATUS_SIGNALLED + 9, "killed, possibly out of memory", false},
    {NULL, EXIT_STATUS_SIGNALLED + 11, "segmentation fault", false},
    {NULL, EXIT_STATUS_SIGNALLED + 13, "broken pipe", false},
};

/* The command whose status is the line's; NULL: it depends. */
static const struct syntax_node *
last_command(const struct syntax *s)
{
    const struct syntax_node *n = s->fault ? NULL : s->top;

    if (n && n->kind == SYNTAX_PIPELINE && !n->negated) {
        n = n->kids;
        while (n && n->next)
            n = n->next;
    }
    return n && n->kind == SYNTAX_CALL && !n->negated ? n : NULL;
}

/* The only program that the command runs, perhaps through a wrapper; NULL:
 * there are several. */
static const struct risk_call *
last_call(const struct syntax *s, const struct risk *r)
{
    const struct syntax_node *n = last_command(s);
    const struct risk_call *found = NULL;

    for (size_t i = 0; n && i < r->n_calls; i++) {
        if (r->calls[i].from < n->from || r->calls[i].to > n->to)
            continue;
        if (found)
            return NULL;
        found = &r->calls[i];
    }
    return found;
}

static bool
status_row_matches(const struct status_row *row, const struct risk_call *call)
{
    bool own = !call->wrapper[0] || strcmp(call->wrapper, "sudo") == 0;

    return strcmp(row->program, own ? call->name : call->wrapper) == 0;
}

static const struct status_row *
find_meaning(const struct risk_call *call, int status)
{
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const struct status_row *row = &rows[i];

        if (row->status == status &&
            (!row->program || (call && status_row_matches(row, call))))
            return row;
    }
    return NULL;
}

const char *
exit_status_meaning(const struct syntax *s, const struct risk *r, int status,
                    bool *answers)
{
    const struct status_row *row = find_meaning(last_call(s, r), status);

    *answers = row && row->answers;
    return row && row->program ? row->meaning : NULL;
}

void
exit_status_describe(const char *command, int status, struct buf *out)
{
    static const struct path_context nowhere;
    int signo = status - EXIT_STATUS_SIGNALLED;
    const struct status_row *row = NULL;
    struct syntax syntax = {0};
    struct risk risk = {0};

    if (syntax_read(command, strlen(command), &syntax, NULL) == 0 &&
        risk_read(&syntax, &nowhere, &risk, NULL) == 0)
        row = find_meaning(last_call(&syntax, &risk), status);
    risk_done(&risk);
    syntax_done(&syntax);
    if (row)
        buf_str(out, row->meaning);
    else if (signo > 0 && signo <= SIGNALS)
        buf_printf(out, "killed by signal (%s)", sigdescr_np(signo));
    else
        buf_str(out,
                "it failed; the meaning of this status depends on the program");
}
