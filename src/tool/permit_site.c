/* SPDX-License-Identifier: GPL-3.0-or-later */
/* permit_site.c - from what a manifest needs to the walls of its tool. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "tool/mcp/program.h"
#include "tool/permit.h"

#define MIB        ((uint64_t)1024 * 1024)
#define OWNED_MAX  (2 * MANIFEST_LIST_MAX + 1)
#define LISTED_MAX (MANIFEST_LIST_MAX + PROFILE_DIRS_MAX + 2)

/* The lists of a wish, while they are put together. */
struct lists {
    const char *writable[LISTED_MAX + 1], *readable[MANIFEST_LIST_MAX + 1];
    size_t n_writable, n_readable;
    char *owned[OWNED_MAX]; /* texts that are no one else's */
    size_t n_owned;
    const char *state; /* one of `writable` */
    bool sees_all, workspace;
};

static void
lists_done(struct lists *l)
{
    for (size_t i = 0; i < l->n_owned; i++)
        free(l->owned[i]);
}

/* Takes the text. */
static const char *
own(struct lists *l, char *text, struct err *e)
{
    if (!text) {
        err_nomem(e);
        return NULL;
    }
    return l->owned[l->n_owned++] = text;
}

static bool
is_everything(const char *path)
{
    return strspn(path, "/") == strlen(path);
}

/* What we are configured by, what happened, and who is trusted: no tool sees
 * or changes that, whatever it declares. */
static int
check_ours(const struct tool *t, const char *path, struct err *e)
{
    static const enum path_place places[] = {PATH_CONFIG, PATH_STATE,
                                             PATH_DATA};
    CLEANUP(free_p) char *real = realpath(path, NULL);

    for (size_t i = 0; real && i < sizeof(places) / sizeof(*places); i++) {
        CLEANUP(free_p) char *dir = path_of(places[i], NULL, NULL);
        CLEANUP(free_p) char *ours = dir ? realpath(dir, NULL) : NULL;

        if (ours && path_is_below(real, ours))
            return err_set(
                e, ERR_DENIED,
                "%s needs %.120s, which is agentsh's own: permission denied",
                t->name, path);
    }
    return 0;
}

/* What is read and not there is not missed. */
static int
add_readable(struct lists *l, const struct tool *t, struct err *e)
{
    const struct manifest_needs *n = &t->manifest->needs;
    struct stat st;

    for (size_t i = 0; n->read[i]; i++) {
        const char *path;

        if (is_everything(n->read[i])) {
            l->sees_all = true;
            continue;
        }
        if (strcmp(n->read[i], "workspace") == 0) {
            l->workspace = true;
            continue;
        }
        if (!(path = own(l, path_expand_home(n->read[i]), e)))
            return -1;
        if (check_ours(t, path, e) < 0)
            return -1;
        if (path[0] == '/' && stat(path, &st) == 0)
            l->readable[l->n_readable++] = path;
    }
    return 0;
}

static int
add_written(struct lists *l, const struct tool *t, const char *need,
            const char *workspace, struct err *e)
{
    const char *path;
    struct stat st;

    if (strcmp(need, "workspace") == 0) {
        l->workspace = true;
        if (workspace)
            l->writable[l->n_writable++] = workspace;
        return 0;
    }
    if (!(path = own(l, path_expand_home(need), e)))
        return -1;
    if (path[0] != '/' || stat(path, &st) < 0)
        return err_set(e, ERR_NOT_FOUND,
                       "%s needs %.120s to write to: no such file or directory",
                       t->name, path);
    if (check_ours(t, path, e) < 0)
        return -1;
    l->writable[l->n_writable++] = path;
    return 0;
}

/* A directory of its own, made when it is first needed. */
static int
add_state(struct lists *l, const struct tool *t, struct err *e)
{
    CLEANUP(free_p)
    char *name = path_join("plugins", t->server ? t->server->name : t->name);
    const char *dir;

    if (!t->manifest->needs.state)
        return 0;
    dir = name ? own(l, path_of(PATH_STATE, name, e), e) : NULL;
    if (!dir || path_make_dirs(dir, 0700, e) < 0)
        return -1;
    l->writable[l->n_writable++] = l->state = dir;
    return 0;
}

/* The spec's own text of the directory: the lists end before it. */
static void
name_state(struct sandbox_spec *s, const char *dir)
{
    for (size_t i = 0; dir && s->writable[i]; i++)
        if (strcmp(s->writable[i], dir) == 0)
            s->state = s->writable[i];
}

static int
fill_lists(struct lists *l, const struct permit *p, const struct tool *t,
           const char *workspace, struct err *e)
{
    const struct manifest_needs *n = &t->manifest->needs;

    if (add_readable(l, t, e) < 0 || add_state(l, t, e) < 0)
        return -1;
    for (size_t i = 0; n->write[i]; i++)
        if (add_written(l, t, n->write[i], workspace, e) < 0)
            return -1;
    for (size_t i = 0; p && i < p->n_writable; i++)
        l->writable[l->n_writable++] = p->writable[i];
    return 0;
}

static int
try_site(const struct permit *p, const struct tool *t, const char *workspace,
         char *const *closed, const struct config *c, struct sandbox_setup *s,
         struct err *e)
{
    const struct manifest_needs *n = &t->manifest->needs;
    CLEANUP(lists_done) struct lists l = {0};
    CLEANUP(free_p) char *place = t->server ? mcp_place(t->server) : NULL;
    struct sandbox_setup_params wish = {
        .profile = n->all_processes ? PROFILE_OBSERVE_PROC : PROFILE_PLUGIN,
        .net = n->network,
        .programs = t->source == TOOL_BUILTIN || t->manifest->words,
        .plugin = t->server                   ? place
                  : t->source == TOOL_BUILTIN ? NULL
                                              : t->dir,
        .workspace = workspace,
        .writable = l.writable,
        .readable = l.readable,
        .named = p ? p->named : NULL,
        .closed = closed,
    };

    *s = (struct sandbox_setup){0};
    if (fill_lists(&l, p, t, workspace, e) < 0)
        return -1;
    wish.sees_all = l.sees_all && !n->all_processes;
    if (sandbox_setup_fill(s, &wish, c, e) < 0)
        return -1;
    if (!workspace || !(l.workspace || l.sees_all))
        s->spec.workspace = NULL;
    name_state(&s->spec, l.state);
    return 0;
}

int
permit_site(const struct permit *p, const struct tool *t, const char *workspace,
            char *const *closed, const struct config *c,
            struct sandbox_setup *s, struct err *e)
{
    const struct manifest_needs *n = &t->manifest->needs;
    struct err why = {0};

    if (try_site(p, t, workspace, closed, c, s, &why) < 0) {
        if (!workspace || why.code != ERR_USAGE)
            return err_set(e, why.code, "%s", why.text);
        sandbox_setup_done(
            s); /* the directory is no workspace: then there is none */
        if (try_site(p, t, NULL, closed, c, s, e) < 0)
            return -1;
    }
    if (n->memory_mb)
        s->spec.memory_bytes = (uint64_t)n->memory_mb * MIB;
    s->spec.limit_ms = 0; /* a call has a limit of its own */
    return 0;
}
