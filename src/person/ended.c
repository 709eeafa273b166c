/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ended.c - what the exit status of a command line says. */
#include "person/ended.h"

#include <string.h>

#include "base/cleanup.h"
#include "guard/risk/risk.h"

#define SIGNALLED 128 /* and the signal's number */
#define SIGNALS   64

struct row {
    const char *program; /* NULL: whatever it is */
    int status;
    const char *meaning;
};

static const struct row rows[] = {
    {"cmp", 1, "the files differ"},
    {"curl", 6, "the host's name could not be looked up"},
    {"curl", 7, "the host took no connection"},
    {"curl", 22, "the server answered with an error"},
    {"curl", 28, "a time limit passed"},
    {"curl", 60, "the server's certificate is not trusted"},
    {"diff", 1, "the files differ"},
    {"egrep", 1, "no line matched"},
    {"grep", 1, "no line matched"},
    {"grep", 2, "a file could not be read, or the pattern is wrong"},
    {"ls", 2, "something that was named could not be read"},
    {"make", 2, "a command of the makefile failed"},
    {"pgrep", 1, "no process matched"},
    {"pkill", 1, "no process matched"},
    {"rg", 1, "no line matched"},
    {"ssh", 255, "there was no connection, or the command there ended so"},
    {"test", 1, "the condition is false"},
    {"[", 1, "the condition is false"},
    {"timeout", 124, "the time was over"},
    {"wget", 4, "the network failed"},
    {"wget", 8, "the server answered with an error"},
    {"xargs", 123, "one of the commands that it ran failed"},
    {NULL, 0, "it succeeded"},
    {NULL, 1, "it failed; why is what the program wrote"},
    {NULL, 2, "it failed; many programs mean wrong usage by it"},
    {NULL, 126,
     "it was found and could not be run: it is no program, or you "
     "may not run it"},
    {NULL, 127, "there is no program of that name"},
    {NULL, SIGNALLED + 2, "Ctrl-C ended it"},
    {NULL, SIGNALLED + 9,
     "it was killed: by somebody, or because memory ran "
     "out"},
    {NULL, SIGNALLED + 11,
     "it touched memory that is not its own: a mistake "
     "in the program"},
    {NULL, SIGNALLED + 13, "nobody read what it wrote any more"},
};

/* The program whose status it is; "" where several could be. */
static void
program_of(const char *command, struct buf *name)
{
    static const struct risk_place nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};

    if (syntax_read(command, strlen(command), &syntax, NULL) == 0 &&
        risk_read(&syntax, &nowhere, &risk, NULL) == 0 && risk.n_calls == 1)
        buf_str(name, risk.calls[0].name);
    risk_done(&risk);
    syntax_done(&syntax);
}

void
ended_tell(const char *command, int status, struct buf *out)
{
    CLEANUP_BUF struct buf name = buf_of(SYNTAX_LINE_MAX);
    int signo = status - SIGNALLED;

    program_of(command, &name);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].status != status ||
            (rows[i].program && strcmp(rows[i].program, name.p) != 0))
            continue;
        buf_str(out, rows[i].meaning);
        return;
    }
    if (signo > 0 && signo <= SIGNALS)
        buf_printf(out, "a signal ended it (%s)", strsignal(signo));
    else
        buf_str(out, "it failed; what the number means is the program's own");
}
