/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_server.c - becomes the program that answers other programs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "frontend/cli/command.h"

#define NAME_WORDS 3 /* of a command, and the program's */

int
command_run_server(struct command_args *c)
{
    const char *given[OPTIONS_WORDS_MAX];
    size_t n = options_words(&c->options, c->command->options, given);
    struct err e = {0};
    CLEANUP(free_p) char *path = path_libexec("agentsh-server", &e);
    CLEANUP(free_p)
    const char **words = calloc(NAME_WORDS + n + (size_t)c->n + 2,
                                sizeof(*words));
    CLEANUP(free_p) char *name = strdup(c->command->name);
    char *rest = NULL;
    size_t at = 0;

    if (!words || !name)
        err_nomem(&e);
    if (!words || !name || !path)
        return app_fail(c->app, &e);
    words[at++] = c->program;
    for (char *word = strtok_r(name, " ", &rest); word && at < NAME_WORDS;
         word = strtok_r(NULL, " ", &rest))
        words[at++] = word;
    for (size_t i = 0; i < n; i++)
        words[at++] = given[i];
    if (c->n > 0)
        words[at++] = "--";
    for (int i = 0; i < c->n; i++)
        words[at++] = c->words[i];
    execv(path, (char *const *)(uintptr_t)words);
    err_sys(&e, "%s", path);
    return app_fail(c->app, &e);
}
