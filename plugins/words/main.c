/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - speaks the Plugin Tool API for a plugin that knows only words.
 *
 * The front starts it in the place of a program whose manifest says "form":
 * "words". That program is run once a request: its action is its one argument,
 * the arguments of the call are variables, and what it writes and how it ends
 * is the answer. */
#include <stdio.h>

#include "base/fd.h"
#include "plugins/lib/run.h"
#include "plugins/lib/text.h"
#include "plugins/words/manual.h"
#include "plugins/words/variables.h"

#define OUT_MAX (REPLY_TEXT_MAX + 1) /* one more: then something is missing */

/* What its exit status says; any other than these is IO_ERROR. The table of
 * agentsh-plugin(7), WORDS. */
static const struct status_row {
    int status;
    enum err_code code;
} statuses[] = {
    {2, ERR_INVALID}, {3, ERR_NOT_FOUND}, {4, ERR_PERMISSION},
    {5, ERR_PARSE},   {6, ERR_TIMEOUT},   {7, ERR_UNSUPPORTED},
};

static const char *
code_of(const struct need_answer *a)
{
    if (a->error_code[0])
        return a->error_code;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
        if (statuses[i].status == a->exit_code)
            return err_tool_code(statuses[i].code);
    }
    return err_tool_code(ERR_IO);
}

static void
answer(const struct request *r, const struct need_answer *a)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf err = buf_of(TEXT_MAX);
    bool ok = a->exit_code == 0 && !a->error_code[0];
    bool cut_out = text_fit(&out, &a->out, r);
    bool cut_err = text_fit(&err, &a->err, r);
    struct json_writer w;

    if (!ok && err.len == 0)
        text_note(&err, "it ended with status %d", a->exit_code);
    reply_begin(r, &w, &line, ok, out.p, out.len, err.p, err.len);
    json_member_int(&w, "exit_code", a->exit_code);
    if (!ok)
        json_member_str(&w, "error_code", code_of(a));
    json_member_bool(&w, "truncated", cut_out || cut_err);
    (void)reply_send(&w, NULL);
}

static int
run(const struct request *r, struct need_answer *out, struct err *e)
{
    CLEANUP(manual_free_p) struct manual *m = manual_read(e);
    const char *const argv[] = {m ? manual_program(m) : NULL, r->action, NULL};
    const struct run_how how = {.request = r, .shown = true};

    if (!m || manual_check(m, r->action, r->args, e) < 0 ||
        variables_set(r->args, e) < 0)
        return -1;
    return run_program(argv, &how, out, e);
}

static void
handle(const struct request *r)
{
    struct need_answer out;
    struct err e = {0};

    need_answer_init(&out, OUT_MAX);
    if (run(r, &out, &e) < 0)
        reply_error(r, &e);
    else
        answer(r, &out);
    variables_clear(r->args);
    need_answer_done(&out);
}

int
main(int argc, char **argv)
{
    CLEANUP(manual_free_p) struct manual *m = NULL;
    struct err e = {0};

    if (fd_fill_standard(NULL) < 0)
        return 1;
    if (argc == 2 && manual_place(argv[1], &e) == 0 && (m = manual_read(&e)))
        return plugin_serve(manual_name(m), handle);
    fprintf(stderr, "%s\n", argc == 2 ? e.text : "usage: words PROGRAM");
    return 1;
}
