/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_call.c - calls of agentsh as a shell is called: -c LINE, -l, a script.
 */
#include "frontend/cli/shell_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 }; /* of a shell */

/* bash's options of a letter that a program may pass, and none of ours. */
static bool
is_option_of_bash(const char *word)
{
    return (word[0] == '-' && word[1] &&
            strspn(word + 1, "ceilnsuvx") == strlen(word + 1) &&
            strpbrk(word, "ceilnsux")) ||
           strcmp(word, "--login") == 0;
}

static bool
has_letter(const char *word, char letter)
{
    return word[1] != '-' && strchr(word, letter);
}

enum shell_call
shell_call_of(int argc, char *const *argv)
{
    enum shell_call kind = SHELL_CALL_INTERACTIVE;
    int i = 1;

    for (; i < argc && is_option_of_bash(argv[i]); i++) {
        if (argv[i][1] != '-' && strpbrk(argv[i], "cns"))
            return SHELL_CALL_BASH;
    }
    if (i == argc)
        return kind;
    return i > 1 || strchr(argv[i], '/') ? SHELL_CALL_BASH : SHELL_CALL_NONE;
}

bool
shell_call_is_login(int argc, char *const *argv)
{
    if (argc > 0 && argv[0][0] == '-')
        return true;
    for (int i = 1; i < argc && is_option_of_bash(argv[i]); i++) {
        if (strcmp(argv[i], "--login") == 0 || has_letter(argv[i], 'l'))
            return true;
    }
    return false;
}

bool
shell_call_is_script(const char *word)
{
    struct stat st;

    return word[0] && word[0] != '-' && stat(word, &st) == 0 &&
           S_ISREG(st.st_mode) && access(word, R_OK) == 0;
}

int
shell_call_become_bash(char **argv)
{
    static char login[] = "-bash", plain[] = "bash";
    char *bash = path_find_bash();

    argv[0] = argv[0][0] == '-' ? login : plain;
    if (bash)
        execv(bash, argv);
    fprintf(stderr, "agentsh: %s\n",
            bash ? "cannot start bash" : "bash is not installed");
    free(bash);
    return bash ? NOT_EXECUTABLE : NOT_FOUND;
}
