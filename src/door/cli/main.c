/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - agentsh and ai: one program, two names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "door/cli/call.h"

/* The REPL is a program of its own, so that Readline is loaded only there. */
static int
become_repl(void)
{
    struct err e = {0};
    char *repl = path_libexec("agentsh-repl", &e);

    if (repl)
        execv(repl, (char *const[]){repl, NULL});
    fprintf(stderr, "agentsh: %s\n", repl ? "the REPL cannot start" : e.text);
    free(repl);
    return 1;
}

int
main(int argc, char **argv)
{
    const char *name = argc > 0 ? path_base(argv[0]) : "agentsh";

    if (fd_fill_standard(NULL) < 0)
        return 1;
    if (strcmp(name, AI_NAME) == 0 || strcmp(name, "ai") == 0)
        return call_main(AI_NAME, ai_rows(), argc, argv);
    if (argc == 1)
        return become_repl();
    return call_main("agentsh", agentsh_rows(), argc, argv);
}
