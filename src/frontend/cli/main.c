/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the programs agentsh and ai: run `exec` and `init`, or become
 * another program.
 *
 * A sandboxed command should cost little more than a bare one, and half of the
 * front's start is loading libraries. So this program is static and small; it
 * executes agentsh-front for all other commands, agentsh-repl for the
 * interactive shell, and bash where a shell is called that needs no prompt. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/message.h"
#include "base/path.h"
#include "frontend/cli/command.h"
#include "frontend/cli/shell_call.h"

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

/* Whether it is done here: the version too, alone; with -o json it is more.
 * Help of `init` is the front's, as that of all, and so is `exec` for who reads
 * another language than English. */
static bool
is_ours(int argc, char *const *argv)
{
    return (strcmp(argv[1], "exec") == 0 && !message_is_asked()) ||
           (argc == 3 && strcmp(argv[1], "init") == 0 && argv[2][0] != '-') ||
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
    static const struct command *const all[] = {&cmd_exec, &cmd_init, NULL};
    struct command_args call = {.program = "agentsh", .all = all};
    static const char *const shell[] = {"agentsh-repl", NULL};
    static const char *const login[] = {"agentsh-repl", "--login", NULL};
    const char *name = argc > 0 ? path_base(argv[0]) : "agentsh";
    const char *const *words = (const char *const *)(uintptr_t)argv;

    if (fd_fill_standard(NULL) < 0)
        return 1;
    if (strcmp(name, AI_NAME) == 0 || strcmp(name, "ai") == 0)
        return become("agentsh-front", words);
    if (argc == 2 && strcmp(argv[1], "--plain") == 0) {
        (void)setenv("ACCESSIBLE", "1", 1); /* for what it starts, too */
        argc = 1;
    }
    switch (shell_call_of(argc, argv)) {
    case SHELL_CALL_INTERACTIVE:
        return become("agentsh-repl",
                      shell_call_is_login(argc, argv) ? login : shell);
    case SHELL_CALL_BASH:
        return shell_call_become_bash(argv);
    case SHELL_CALL_NONE:
        break;
    }
    if (strcmp(argv[1], "acp") == 0 || strcmp(argv[1], "--acp") == 0)
        return become_server(argc, argv);
    if (is_ours(argc, argv))
        return command_main(&call, argc, argv);
    return become("agentsh-front", words);
}
