/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_server.c - becomes the program that answers other programs. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "frontend/cli/command.h"

int
command_run_server(struct command_args *c)
{
    const char *words[] = {c->program, c->command->name, NULL, NULL, NULL};
    struct err e = {0};
    CLEANUP(free_p) char *path = path_libexec("agentsh-server", &e);

    if (c->options.policy) {
        words[2] = "--policy";
        words[3] = c->options.policy;
    }
    if (c->n > 0)
        err_set(&e, ERR_USAGE, "%s takes no words", c->command->name);
    else if (path) {
        execv(path, (char *const *)(uintptr_t)words);
        err_sys(&e, "%s", path);
    }
    return app_fail(c->app, &e);
}
