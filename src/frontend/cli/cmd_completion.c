/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_completion.c - agentsh completion: scripts for other shells. */
#include <stdio.h>
#include <string.h>

#include "frontend/cli/command.h"
#include "ui/app.h"
#include "ui/shell_hook.h"

#define SCRIPT_MAX (1u << 20) /* bytes of a completion */
#define TABLE_MAX  (1u << 16)

static const char placeholder[] = "@TABLE@";

/* A line for the verb (or the program, when name is empty) and one for each
 * of its options; hooks/completion.bash says how they look. */
static void
add_verb(struct buf *out, const char *program, const struct command *row,
         unsigned options)
{
    buf_printf(out, "verb;%s;%s;%s;%s\n", program, row ? row->name : "",
               row ? row->args : "", row ? row->help : "");
    options_list(out, options);
}

static void
add_program_completion(struct buf *out, const char *program,
                       const struct command *const *all_commands)
{
    unsigned all = 0;

    for (const struct command *const *r = all_commands; *r; r++) {
        add_verb(out, program, *r, (*r)->options);
        all |= (*r)->options;
    }
    add_verb(out, program, NULL, all);
}

/* Appends text as the inside of a single-quoted word of the shell. */
static void
add_quoted(struct buf *out, const struct buf *text, bool is_fish)
{
    for (size_t i = 0; i < text->len; i++) {
        char c = text->p[i];

        if (c == '\'')
            buf_str(out, is_fish ? "\\'" : "'\\''");
        else if (c == '\\' && is_fish)
            buf_str(out, "\\\\");
        else
            buf_ch(out, c);
    }
}

static int
run_completion(struct command_args *c)
{
    CLEANUP_BUF struct buf script = buf_of(SCRIPT_MAX);
    CLEANUP_BUF struct buf table = buf_of(TABLE_MAX);
    CLEANUP_BUF struct buf out = buf_of(SCRIPT_MAX);
    const char *shell = c->n == 1 ? c->words[0] : NULL;
    const char *at;
    struct err e = {0};

    if (!shell) {
        err_set(&e, ERR_USAGE, "which shell? bash, zsh or fish");
        return app_fail(c->app, &e);
    }
    if (shell_hook_print_completion(shell, &script, &e) < 0)
        return app_fail(c->app, &e);
    add_program_completion(&table, "agentsh", commands_agentsh);
    add_program_completion(&table, AI_NAME, commands_ai);
    add_verb(&table, "agentctl", NULL, FOR_HTTP);
    at = strstr(script.p, placeholder);
    if (at) {
        buf_add(&out, script.p, (size_t)(at - script.p));
        add_quoted(&out, &table, strcmp(shell, "fish") == 0);
        buf_str(&out, at + strlen(placeholder));
    }
    if (buf_ok(&table, "the table", &e) < 0 ||
        buf_ok(&out, "the completion", &e) < 0 ||
        app_write_result(&out, &e) < 0)
        return app_fail(c->app, &e);
    return 0;
}

const struct command cmd_completion = {
    .name = "completion",
    .args = "bash|zsh|fish",
    .help = N_(
        "print the completion script: eval \"$(agentsh completion bash)\""),
    .run = run_completion,
};
