/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_init.c - agentsh init: the hook of a shell.
 *
 * Each shell waits for it when it starts, so it is a part of the small static
 * program too, which executes nothing more for it. */
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/cli/command.h"
#include "ui/app.h"
#include "ui/shell_hook.h"

#define SCRIPT_MAX (1u << 20) /* bytes of a hook */

/* A shell reads what it prints: `eval "$(…)"`, `… | source`. */
static bool
is_read_by_shell(void)
{
    struct stat st;

    return fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* A mistake in the configuration is told; a person still wants the hook. */
static int
run_init(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(SCRIPT_MAX);
    struct shell_hook_params p = {.seat = c->app->seat,
                                  .for_parent = is_read_by_shell()};
    struct err e = {0};

    if (c->n != 1) {
        err_set(&e, ERR_USAGE,
                "missing argument: the shell, bash, zsh or fish");
        return app_fail(c->app, &e);
    }
    if (app_config(c->app, &e) < 0)
        app_print_err(c->app, &e);
    p.config = c->app->config;
    shell_hook_sweep();
    if (shell_hook_print(c->words[0], &p, &out, &e) < 0 ||
        app_write_result(&out, &e) < 0)
        return app_fail(c->app, &e);
    return 0;
}

const struct command cmd_init = {
    .name = "init",
    .args = "bash|zsh|fish",
    .help = N_("print the shell hook: eval \"$(agentsh init bash)\""),
    .run = run_init,
};
