/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the program agentsh, and ai: runs `exec`, and becomes the rest.
 *
 * A command in the sandbox is to cost little more than one without, and half
 * of what the front costs is loading libraries. So this program is static and
 * small; agentsh-front has everything, and agentsh-repl is the shell. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "door/cli/call.h"

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

/* Whether the first word is all that is needed to know what to do. */
static bool
is_ours(const char *word)
{
    static const char *const words[] = {"exec", "--version", "-V"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (strcmp(word, words[i]) == 0)
            return true;
    }
    return false;
}

int
main(int argc, char **argv)
{
    static const struct call_row rows[] = {CALL_EXEC_ROW, {0}};
    static const char *const shell[] = {"agentsh-repl", NULL};
    const char *name = argc > 0 ? path_base(argv[0]) : "agentsh";
    const char *const *words = (const char *const *)(uintptr_t)argv;

    if (fd_fill_standard(NULL) < 0)
        return 1;
    if (strcmp(name, AI_NAME) == 0 || strcmp(name, "ai") == 0)
        return become("agentsh-front", words);
    if (argc <= 1)
        return become("agentsh-repl", shell);
    if (is_ours(argv[1]))
        return call_main("agentsh", rows, NULL, argc, argv);
    return become("agentsh-front", words);
}
