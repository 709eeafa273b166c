/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_spawn.c - prepares the start of an MCP server's program. */
#include "tool/mcp/mcp_spawn.h"

#include <string.h>

/* Sets a variable of the entry, or replaces the one of that name. */
static void
replace_variable(char **env, size_t *n, char *variable)
{
    size_t len = strcspn(variable, "=") + 1;

    for (size_t i = 0; i < *n; i++) {
        if (strncmp(env[i], variable, len) == 0) {
            free(env[i]);
            env[i] = variable;
            return;
        }
    }
    env[(*n)++] = variable;
    env[*n] = NULL;
}

static int
add_env(struct spawn *l, const struct mcp_server *m, struct err *e)
{
    size_t n = 0, more = 0;
    char **grown;

    while (l->env[n])
        n++;
    while (m->env[more])
        more++;
    grown = reallocarray(l->env, n + more + 1, sizeof(*grown));
    if (!grown)
        return err_nomem(e);
    l->env = grown;
    for (size_t i = 0; i < more; i++) {
        char *variable = strdup(m->env[i]);

        if (!variable)
            return err_nomem(e);
        replace_variable(l->env, &n, variable);
    }
    return 0;
}

int
mcp_spawn_prepare(struct spawn *l, const struct mcp_server *m,
                  const struct tool_setting *s, struct err *e)
{
    const char *argv[MCP_WORDS_MAX + 2];
    CLEANUP(free_p) char *program = mcp_config_program(m, e);
    size_t n = 1;

    *l = (struct spawn){0};
    if (!program)
        return -1;
    for (argv[0] = program; m->argv[n]; n++)
        argv[n] = m->argv[n];
    argv[n] = NULL;
    if (spawn_prepare(l, argv, s, e) < 0)
        return -1;
    l->cwd = m->url ? "/" : m->cwd;
    return add_env(l, m, e);
}
