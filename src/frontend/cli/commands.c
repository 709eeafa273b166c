/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c - the table of commands of agentsh(1), and the commands
 * that are only a few lines: init, completion, preview. */
#include <stdio.h>
#include <string.h>

#include "frontend/cli/command.h"
#include "ui/app.h"
#include "ui/preview.h"
#include "ui/shell_hook.h"

#define SCRIPT_MAX (1u << 20) /* bytes of a hook or a completion */
#define TABLE_MAX  (1u << 16)
#define LIST_MAX   (1u << 20)

/* Init and completion: scripts for other shells. */

/* The one word that a subcommand takes; NULL and an error otherwise. */
static const char *
one_word(struct command_args *c, const char *what, struct err *e)
{
    if (c->n == 1)
        return c->words[0];
    err_set(e, ERR_USAGE, "missing argument: %s", what);
    return NULL;
}

static int
run_hook_command(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(SCRIPT_MAX);
    struct err e = {0};
    const char *shell = one_word(c, "the shell, bash, zsh or fish", &e);

    shell_hook_sweep();
    if (!shell || shell_hook_print(shell, &out, &e) < 0 ||
        app_write_result(&out, &e) < 0)
        return app_fail(c->app, &e);
    return 0;
}

static const struct command cmd_init = {
    .name = "init",
    .args = "bash|zsh|fish",
    .help = N_("print the shell hook: eval \"$(agentsh init bash)\""),
    .run = run_hook_command,
};

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

static const struct command cmd_completion = {
    .name = "completion",
    .args = "bash|zsh|fish",
    .help = N_(
        "print the completion script: eval \"$(agentsh completion bash)\""),
    .run = run_completion,
};

static int
run_preview_list(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(LIST_MAX);
    struct err e = {0};

    if (c->n > 0)
        err_set(&e, ERR_USAGE, "preview list takes no words");
    else if (preview_list(c->app, &out, &e) == 0) {
        app_put_result(c->app, &out);
        return 0;
    }
    return app_fail(c->app, &e);
}

/* One of the answers, for the preview that the words name. */
static int
answer(struct command_args *c, int (*act)(struct preview *p, struct err *e))
{
    CLEANUP(preview_close_p) struct preview *p = NULL;
    struct err e = {0};

    if (c->n > 1)
        err_set(&e, ERR_USAGE, "one preview at a time");
    else
        p = preview_find(c->app, c->n ? c->words[0] : NULL, &e);
    if (!p || act(p, &e) < 0)
        return app_fail(c->app, &e);
    return 0;
}

static int
run_preview_show(struct command_args *c)
{
    return answer(c, preview_show);
}

static int
run_preview_keep(struct command_args *c)
{
    return answer(c, preview_keep);
}

static int
run_preview_drop(struct command_args *c)
{
    return answer(c, preview_drop);
}

static const struct command cmd_preview_list = {
    .name = "preview list",
    .args = "",
    .help = N_("runs whose changes wait to be kept or dropped"),
    .run = run_preview_list,
};
static const struct command cmd_preview_show = {
    .name = "preview show",
    .args = "[RUN]",
    .help = N_("show what a run changed, line by line"),
    .run = run_preview_show,
};
static const struct command cmd_preview_keep = {
    .name = "preview keep",
    .args = "[RUN]",
    .help = N_("make those changes in the workspace"),
    .run = run_preview_keep,
};
static const struct command cmd_preview_drop = {
    .name = "preview drop",
    .args = "[RUN]",
    .help = N_("discard them"),
    .run = run_preview_drop,
};

/* Another program named ai may be first on PATH, so agentsh has these too. */
static const struct command cmd_agentsh_do = {
    .name = "do",
    .args = "TEXT…",
    .help = N_("the same as ai do"),
    .options = FOR_REQUEST | FOR_PLAN | FOR_REPORT,
    .run = cmd_ai_run_do,
};

static const struct command cmd_agentsh_run = {
    .name = "run",
    .args = "TEXT…",
    .help = N_("the same as ai run"),
    .options = FOR_REQUEST | FOR_PLAN | FOR_REPORT,
    .run = cmd_ai_run_run,
};

static const struct command cmd_agentsh_explain = {
    .name = "explain",
    .args = "TEXT…",
    .help = N_("the same as ai explain"),
    .options = FOR_REQUEST | FOR_REPORT,
    .run = cmd_ai_run_explain,
};

static const struct command cmd_agentsh_log = {
    .name = "log",
    .args = "[RUN]",
    .help = N_("the same as ai log"),
    .options = FOR_LOG | FOR_REPORT,
    .run = cmd_ai_run_log,
};

static const struct command cmd_agentsh_help = {
    .name = "help",
    .args = "[COMMAND]",
    .help = N_("help for the program, or for a command"),
    .run = command_help,
};

const struct command *const commands_agentsh[] = {
    &cmd_agentsh_do,
    &cmd_agentsh_run,
    &cmd_agentsh_explain,
    &cmd_agentsh_log,
    &cmd_init,
    &cmd_completion,
    &cmd_doctor,
    &cmd_exec,
    &cmd_preview_list,
    &cmd_preview_show,
    &cmd_preview_keep,
    &cmd_preview_drop,
    &cmd_action_check,
    &cmd_policy_test,
    &cmd_policy_show,
    &cmd_policy_check,
    &cmd_policy_add,
    &cmd_sysinfo,
    &cmd_services,
    &cmd_packages,
    &cmd_offline,
    &cmd_tool_list,
    &cmd_tool_call,
    &cmd_tool_trust,
    &cmd_plugin_check,
    &cmd_plugin_new,
    &cmd_agentsh_help,
    NULL,
};
