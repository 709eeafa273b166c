/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ.c - the environment that commands and tools are started with. */
#include "tool/environ.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/secret_name.h"

#define OURS 3 /* variables that we add */

bool
environ_is_secret(const char *name, size_t n)
{
    return secret_name_find(name, n) != NULL;
}

void
environ_free(char **env)
{
    for (char **v = env; v && *v; v++)
        free(*v);
    free(env);
}

/* What makes bash run or print something else than the command that was
 * shown: files that it reads first, options, functions (bash(1)). A name that
 * ends in "_" stands for all that begin so. */
static const char *const shell_words[] = {
    "BASH_ENV", "ENV", "BASH_FUNC_",     "SHELLOPTS",
    "BASHOPTS", "PS4", "PROMPT_COMMAND",
};

static bool
steers_shell(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof(shell_words) / sizeof(*shell_words); i++) {
        size_t w = strlen(shell_words[i]);
        bool all = shell_words[i][w - 1] == '_';

        if ((all ? n > w : n == w) && memcmp(name, shell_words[i], w) == 0)
            return true;
    }
    return false;
}

/* Whether a variable reaches the child as it is. */
static bool
passes(const char *variable)
{
    size_t n = strcspn(variable, "=");

    return !environ_is_secret(variable, n) && !steers_shell(variable, n) &&
           !(n == 7 && memcmp(variable, "AGENTSH", n) == 0);
}

char **
environ_for_step(bool colour, struct err *e)
{
    static const char *const ours[OURS] = {"AGENTSH=1", "FORCE_COLOR=1",
                                           "CLICOLOR_FORCE=1"};
    CLEANUP(environ_free_p) char **env = NULL;
    size_t n = 0, at = 0;
    bool good;

    while (environ && environ[n])
        n++;
    env = calloc(n + OURS + 1, sizeof(*env));
    good = env != NULL;
    for (size_t i = 0; good && i < n; i++) {
        if (passes(environ[i]))
            good = (env[at++] = strdup(environ[i])) != NULL;
    }
    for (size_t i = 0; good && i < (colour ? OURS : 1); i++)
        good = (env[at++] = strdup(ours[i])) != NULL;
    if (!good) {
        err_set(e, ERR_NOMEM, "environment: no memory");
        return NULL;
    }
    return TAKE_PTR(env);
}
