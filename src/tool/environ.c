/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ.c - the environment that commands and tools are started with. */
#include "tool/environ.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/environ_names.h"
#include "base/path.h"
#include "base/secret_name.h"
#include "sandbox/setup.h"
#include "tool/environ_git.h"

/* Variables that we add: git's drivers have four keys at most, of two each. */
#define OURS_MAX (64 + 8 * ENVIRON_GIT_MAX)

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

/* Whether an address in the value holds a password: scheme://user:pass@host. */
static bool
holds_password(const char *value)
{
    for (const char *p = value; (p = strstr(p, "://")); p++) {
        size_t n = strcspn(p + 3, "/?# \t");

        if (memchr(p + 3, '@', n))
            return true;
    }
    return false;
}

/* Whether the setting names it. */
static bool
is_asked_for(const struct config *c, const char *name, size_t n)
{
    const char *at = c ? config_text(c, CONFIG_SANDBOX_PASS_ENV) : NULL, *item;
    size_t len;

    while (config_list_next(&at, &item, &len)) {
        if (len == n && memcmp(item, name, n) == 0)
            return true;
    }
    return false;
}

/* Whether a variable reaches the child as it is. */
static bool
passes(const struct environ_wish *w, const char *variable)
{
    size_t n = strcspn(variable, "=");

    if (environ_is_secret(variable, n) ||
        environ_names_steers_shell(variable, n) ||
        (n == 7 && memcmp(variable, "AGENTSH", n) == 0))
        return false;
    if (!w->spec || w->spec->profile == PROFILE_FULL ||
        is_asked_for(w->config, variable, n))
        return true;
    return (environ_names_is_plain(variable, n) ||
            (w->spec->net && environ_names_is_proxy(variable, n))) &&
           !holds_password(variable + n);
}

struct list {
    char **env;
    size_t n, max;
};

static int
add(struct list *l, char *variable, struct err *e)
{
    if (!variable || l->n == l->max) {
        free(variable);
        return err_set(e, ERR_NOMEM, "environment: out of memory");
    }
    l->env[l->n++] = variable;
    return 0;
}

/* Instead of the one of that name, if there is one. */
static int
set(struct list *l, const char *name, const char *value, struct err *e)
{
    size_t n = strlen(name);
    char *variable;

    for (size_t i = 0; i < l->n; i++) {
        if (strncmp(l->env[i], name, n) == 0 && l->env[i][n] == '=') {
            free(l->env[i]);
            memmove(l->env + i, l->env + i + 1, (--l->n - i) * sizeof(*l->env));
            l->env[l->n] = NULL;
            break;
        }
    }
    return add(
        l, asprintf(&variable, "%s=%s", name, value) < 0 ? NULL : variable, e);
}

/* A package manager that finds its cache hidden or read-only gives up. */
static int
move_caches(struct list *l, const struct sandbox_spec *spec, struct err *e)
{
    for (const struct environ_cache *c = environ_names_caches(); c->name; c++) {
        const char *told = getenv(c->name);
        CLEANUP(free_p) char *usual = path_join(spec->home, c->below_home);

        if (!usual)
            return err_set(e, ERR_NOMEM, "environment: out of memory");
        if (!spec_shows_path(spec, told ? told : usual) &&
            set(l, c->name, c->instead, e) < 0)
            return -1;
    }
    return 0;
}

/* Where a tool may keep things, and where the person works. */
static int
add_places(struct list *l, const struct sandbox_spec *spec, struct err *e)
{
    if (!spec || spec->profile != PROFILE_PLUGIN)
        return 0;
    if (spec->state && set(l, "AGENTSH_PLUGIN_STATE", spec->state, e) < 0)
        return -1;
    return spec->workspace ? set(l, "AGENTSH_WORKSPACE", spec->workspace, e)
                           : 0;
}

static int
set_git(void *arg, const char *name, const char *value, struct err *e)
{
    return set(arg, name, value, e);
}

/* Where nothing that git does could be kept, it is there to look. */
static bool
only_looks(const struct sandbox_spec *spec)
{
    return spec && (spec->profile == PROFILE_READ_ONLY ||
                    spec->profile == PROFILE_OBSERVE ||
                    spec->profile == PROFILE_OBSERVE_PROC);
}

static int
fill(struct list *l, const struct environ_wish *w, size_t n, struct err *e)
{
    const struct sandbox_spec *spec = w->spec;

    for (size_t i = 0; i < n; i++) {
        if (passes(w, environ[i]) && add(l, strdup(environ[i]), e) < 0)
            return -1;
    }
    if (set(l, "AGENTSH", "1", e) < 0)
        return -1;
    if (w->colour && (set(l, "FORCE_COLOR", "1", e) < 0 ||
                      set(l, "CLICOLOR_FORCE", "1", e) < 0))
        return -1;
    if (spec && spec->home && spec_hides_home(spec) &&
        move_caches(l, spec, e) < 0)
        return -1;
    if (only_looks(spec) &&
        environ_git(spec->workspace ? spec->workspace : ".", set_git, l, e) < 0)
        return -1;
    return add_places(l, spec, e);
}

char **
environ_for(const struct environ_wish *w, struct err *e)
{
    CLEANUP(environ_free_p) char **env = NULL;
    struct list l;
    size_t n = 0;

    while (environ && environ[n])
        n++;
    l = (struct list){.max = n + OURS_MAX};
    env = l.env = calloc(l.max + 1, sizeof(*env));
    if (!env) {
        err_set(e, ERR_NOMEM, "environment: out of memory");
        return NULL;
    }
    return fill(&l, w, n, e) < 0 ? NULL : TAKE_PTR(env);
}
