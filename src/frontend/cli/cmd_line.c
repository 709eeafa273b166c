/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_line.c - agentsh line: one command for a line that is edited. */
#include <string.h>

#include "frontend/cli/command.h"
#include "frontend/cli/key_reply.h"
#include "frontend/cli/not_found.h"
#include "ui/assist.h"
#include "ui/prompt_line.h"

#define TEXT_MAX (256u << 10)
#define ALIASES  "AGENTSH_ALIASES" /* lines NAME=TEXT, from the shell's hook */

static int
report_not_found(struct command_args *c, const char *aliases)
{
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    struct err e = {0};

    not_found_hint(c->app->seat, c->words, c->n, aliases, &out);
    return app_write_result(&out, &e) < 0 ? app_fail(c->app, &e) : 0;
}

/* The words, of a command line with its alias in full. */
static int
read_line_words(struct command_args *c, const char *aliases, struct buf *text,
                struct err *e)
{
    CLEANUP_BUF struct buf words = buf_of(TEXT_MAX);

    if (command_join_words(c, &words, e) < 0)
        return -1;
    if (!words.p || !words.p[strspn(words.p, " \t\n")])
        return err_set(e, ERR_USAGE, "no words on the line");
    return prompt_line_expand(words.p + strspn(words.p, " \t\n"), aliases, text,
                              e);
}

/* The interface knows one status for a line that has no command. */
static int
finish_line(void *arg, int status)
{
    bool none = status == err_exit_status(ERR_UNFIT) || status == 1;

    if (none)
        status = err_exit_status(ERR_ANSWER);
    return arg ? key_reply_finish(arg, status) : status;
}

static int
run_shell_line(struct command_args *c)
{
    const struct options *o = &c->options;
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    const char *aliases = seat_variable(c->app->seat, ALIASES);
    struct err e = {0};
    struct assist_request w = {
        .mode = o->explain ? AIACTION_EXPLAIN : AIACTION_RUN,
        .model = {.provider = o->provider,
                  .model = o->model,
                  .offline = o->offline},
        .dry_run = true,
        .line = true,
        .aliases = aliases && *aliases ? aliases : NULL,
        .no_tool_calls = o->no_tool_calls,
        .show_request = o->show_request,
    };

    if (o->not_found)
        return report_not_found(c, aliases);
    c->finish = finish_line;
    if (o->for_key) {
        c->app->quiet = true;
        c->finish_arg = key_reply_open(c->app->loop, c->app->seat, o->explain,
                                       &e);
        if (!c->finish_arg)
            return app_fail(c->app, &e);
    }
    if (read_line_words(c, aliases, &text, &e) < 0)
        return app_fail(c->app, &e);
    w.text = text.p;
    return assist_start(c->app, &w);
}

const struct command cmd_line = {
    .name = "line",
    .args = "TEXT…",
    .help = N_("print one command for the words, and run nothing"),
    .options = FOR_REQUEST | FOR_KEY | FOR_LINE,
    .run = run_shell_line,
};
