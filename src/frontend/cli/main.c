/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the programs agentsh and ai: run `exec`, or become another program.
 *
 * A sandboxed command should cost little more than a bare one, and half of the
 * front's start is loading libraries. So this program is static and small; it
 * executes agentsh-front for all other commands, and agentsh-repl for the
 * interactive shell. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "frontend/cli/command.h"

static int
become(const char *program, const char *const *argv)
{
    struct err e = {0};
    char *path = path_libexec(program, &e);

    if (path)
        execv(path, (char *const *)(uintptr_t)argv);
    fprintf(stderr, "agentsh: %s\n", path ? "cannot start" : e.text);
    free(path);
    return 1;
}

/* Whether it is done here: the version too, alone; with -o json it is more. */
static bool
is_ours(int argc, char *const *argv)
{
    return strcmp(argv[1], "exec") == 0 ||
           (argc == 2 &&
            (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0));
}

/* An editor starts it often, and waits: it is not the front that finds it. */
static int
become_server(int argc, char **argv)
{
    static char verb[] = "acp";

    (void)argc;
    argv[1] = verb; /* it may be --acp, as some name it */
    return become("agentsh-server", (const char *const *)(uintptr_t)argv);
}

int
main(int argc, char **argv)
{
    static const struct command *const all[] = {&cmd_exec, NULL};
    struct command_args call = {.program = "agentsh", .all = all};
    static const char *const shell[] = {"agentsh-repl", NULL};
    const char *name = argc > 0 ? path_base(argv[0]) : "agentsh";
    const char *const *words = (const char *const *)(uintptr_t)argv;

    if (fd_fill_standard(NULL) < 0)
        return 1;
    if (strcmp(name, AI_NAME) == 0 || strcmp(name, "ai") == 0)
        return become("agentsh-front", words);
    if (argc <= 1)
        return become("agentsh-repl", shell);
    if (strcmp(argv[1], "acp") == 0 || strcmp(argv[1], "--acp") == 0)
        return become_server(argc, argv);
    if (is_ours(argc, argv))
        return command_main(&call, argc, argv);
    return become("agentsh-front", words);
}
