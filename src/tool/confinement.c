/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confinement.c - makes the sandbox setup and the settings of a tool's process.
 */
#include "tool/confinement.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/path.h"
#include "base/size.h"
#include "tool/mcp/mcp_hash.h"

#define OWNED_MAX  (2 * MANIFEST_LIST_MAX + 1)
#define LISTED_MAX (MANIFEST_LIST_MAX + PROFILE_DIRS_MAX + 2)

/* The lists that a sandbox setup is asked for, while they are put together. */
struct lists {
    const char *writable[LISTED_MAX + 1], *readable[MANIFEST_LIST_MAX + 1];
    size_t n_writable, n_readable;
    char *owned[OWNED_MAX]; /* texts that only this owns */
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

/* Takes ownership of the text. */
static const char *
keep_text(struct lists *l, char *text, struct err *e)
{
    if (!text) {
        err_nomem(e);
        return NULL;
    }
    return l->owned[l->n_owned++] = text;
}

static bool
is_root_dir(const char *path)
{
    return strspn(path, "/") == strlen(path);
}

/* No tool sees or changes agentsh's own directories (settings, journal, trusted
 * tools), whatever its manifest says. */
static int
check_own_dirs(const struct confinement_params *p, const char *path,
               struct err *e)
{
    static const enum path_place places[] = {PATH_CONFIG, PATH_STATE,
                                             PATH_DATA};
    CLEANUP(free_p) char *real = NULL;

    setup_stamps_path(p->stamps, path);
    real = realpath(path, NULL);
    for (size_t i = 0; real && i < ARRAY_SIZE(places); i++) {
        CLEANUP(free_p) char *dir = seat_place(p->seat, places[i], NULL, NULL);
        CLEANUP(free_p) char *ours = NULL;

        if (dir)
            setup_stamps_path(p->stamps, dir);
        ours = dir ? realpath(dir, NULL) : NULL;
        if (ours && path_is_below(real, ours))
            return err_set(
                e, ERR_DENIED,
                "%s needs %.120s, which is agentsh's own: permission denied",
                p->tool->name, path);
    }
    return 0;
}

/* A path to read that does not exist is left out. */
static int
add_manifest_readable(struct lists *l, const struct confinement_params *p,
                      struct err *e)
{
    const struct manifest_needs *n = &p->tool->manifest->needs;
    struct stat st;

    for (size_t i = 0; n->read[i]; i++) {
        const char *path;

        if (is_root_dir(n->read[i])) {
            l->sees_all = true;
            continue;
        }
        if (strcmp(n->read[i], "workspace") == 0) {
            l->workspace = true;
            continue;
        }
        if (!(path = keep_text(l, seat_expand_home(p->seat, n->read[i]), e)))
            return -1;
        if (check_own_dirs(p, path, e) < 0)
            return -1;
        if (path[0] == '/' && stat(path, &st) == 0)
            l->readable[l->n_readable++] = path;
    }
    return 0;
}

static int
add_writable_need(struct lists *l, const struct confinement_params *p,
                  const char *need, const char *workspace, struct err *e)
{
    const char *path;
    struct stat st;

    if (strcmp(need, "workspace") == 0) {
        l->workspace = true;
        if (workspace)
            l->writable[l->n_writable++] = workspace;
        return 0;
    }
    if (!(path = keep_text(l, seat_expand_home(p->seat, need), e)))
        return -1;
    if (path[0] != '/' || stat(path, &st) < 0)
        return err_set(e, ERR_NOT_FOUND,
                       "%s needs %.120s to write to: no such file or directory",
                       p->tool->name, path);
    if (check_own_dirs(p, path, e) < 0)
        return -1;
    l->writable[l->n_writable++] = path;
    return 0;
}

/* Adds the tool's own directory, which is made when it is first needed. */
static int
add_state(struct lists *l, const struct confinement_params *p, struct err *e)
{
    const struct tool *t = p->tool;
    CLEANUP(free_p)
    char *name = path_join("plugins", t->server ? t->server->name : t->name);
    const char *dir;

    if (!t->manifest->needs.state)
        return 0;
    dir = name ? keep_text(l, seat_place(p->seat, PATH_STATE, name, e), e)
               : NULL;
    if (!dir || seat_make_dirs(p->seat, dir, 0700, e) < 0)
        return -1;
    l->writable[l->n_writable++] = l->state = dir;
    return 0;
}

/* Points the spec's state at its own copy of the path. */
static void
name_state(struct sandbox_spec *s, const char *dir)
{
    for (size_t i = 0; dir && s->writable[i]; i++)
        if (strcmp(s->writable[i], dir) == 0)
            s->state = s->writable[i];
}

static int
fill_lists(struct lists *l, const struct confinement_params *p,
           const char *workspace, struct err *e)
{
    const struct manifest_needs *n = &p->tool->manifest->needs;

    if (add_manifest_readable(l, p, e) < 0 || add_state(l, p, e) < 0)
        return -1;
    for (size_t i = 0; n->write[i]; i++)
        if (add_writable_need(l, p, n->write[i], workspace, e) < 0)
            return -1;
    for (size_t i = 0; p->permit && i < p->permit->n_writable; i++)
        l->writable[l->n_writable++] = p->permit->writable[i];
    return 0;
}

/* What a server sees of its own: its package, or the program of ours that
 * talks to it over HTTP. */
static char *
find_server_place(const struct mcp_server *m)
{
    return m->url ? mcp_config_program(m, NULL) : mcp_hash_package_dir(m);
}

static int
try_workspace(const struct confinement_params *p, const char *workspace,
              struct sandbox_setup *s, struct err *e)
{
    const struct tool *t = p->tool;
    const struct manifest_needs *n = &t->manifest->needs;
    CLEANUP(lists_done) struct lists l = {0};
    CLEANUP(free_p)
    char *place = t->server ? find_server_place(t->server) : NULL;
    struct sandbox_setup_params params = {
        .seat = p->seat,
        .profile = n->all_processes ? PROFILE_OBSERVE_PROC : PROFILE_PLUGIN,
        .net = n->network,
        .programs = t->source == TOOL_BUILTIN || t->manifest->words,
        .plugin = t->server                   ? place
                  : t->source == TOOL_BUILTIN ? NULL
                                              : t->dir,
        .workspace = workspace,
        .writable = l.writable,
        .readable = l.readable,
        .named = p->permit ? p->permit->named : NULL,
        .closed = p->closed,
        .stamps = p->stamps,
    };

    *s = (struct sandbox_setup){0};
    if (fill_lists(&l, p, workspace, e) < 0)
        return -1;
    params.sees_all = l.sees_all && !n->all_processes;
    if (sandbox_setup_fill(s, &params, p->config, e) < 0)
        return -1;
    if (!workspace || !(l.workspace || l.sees_all))
        s->spec.workspace = NULL;
    name_state(&s->spec, l.state);
    return 0;
}

int
confinement_fill_sandbox(const struct confinement_params *p,
                         struct sandbox_setup *s, struct err *e)
{
    const struct manifest_needs *n = &p->tool->manifest->needs;
    struct err why = {0};

    if (try_workspace(p, p->workspace, s, &why) < 0) {
        if (!p->workspace || why.code != ERR_USAGE)
            return err_set(e, why.code, "%s", why.text);
        sandbox_setup_done(s); /* it cannot be a workspace: there is none */
        if (try_workspace(p, NULL, s, e) < 0)
            return -1;
    }
    if (n->memory_mb)
        s->spec.memory_bytes = (uint64_t)n->memory_mb * SIZE_MIB;
    s->spec.limit_ms = 0; /* a call has its own time limit */
    return 0;
}

void
confinement_done(struct confinement *c)
{
    if (!c)
        return;
    sandbox_setup_done(&c->setup);
    *c = (struct confinement){0};
}

static size_t
add_roots(const char **roots, size_t n, const char *const *paths)
{
    while (*paths && n < CONFINEMENT_ROOTS_MAX)
        roots[n++] = *paths++;
    return n;
}

/* Exactly what the sandbox shows, and lets it write. */
static void
name_sandbox_roots(const struct sandbox_spec *s, struct confinement *out)
{
    size_t n = 0;

    if (s->sees_all || s->profile != PROFILE_PLUGIN) {
        out->read_roots[n++] = "/";
    } else {
        if (s->workspace)
            out->read_roots[n++] = s->workspace;
        n = add_roots(out->read_roots, n, s->readable);
        (void)add_roots(out->read_roots, n, s->writable);
    }
    (void)add_roots(out->write_roots, 0, s->writable);
}

static void
name_roots(const struct confinement_params *p, struct confinement *out)
{
    size_t n = 0;

    if (p->roots == CONFINEMENT_ROOTS_NONE)
        return;
    out->setting.read_roots = out->read_roots;
    out->setting.write_roots = out->write_roots;
    if (p->roots == CONFINEMENT_ROOTS_SANDBOX) {
        name_sandbox_roots(out->setting.sandbox, out);
        return;
    }
    out->read_roots[0] = "/";
    if (p->roots == CONFINEMENT_ROOTS_READ)
        return;
    out->write_roots[n++] = p->directory;
    for (size_t i = 0; p->permit && i < p->permit->n_writable; i++)
        out->write_roots[n++] = p->permit->writable[i];
}

int
confinement_fill(const struct confinement_params *p, struct confinement *out,
                 struct err *e)
{
    *out = (struct confinement){0};
    out->setting = (struct tool_setting){
        .sandbox = p->sandbox ? p->sandbox : &out->setup.spec,
        .seat = p->seat,
        .config = p->config,
        .pool = p->pool,
        .colour = p->colour,
        .privileged = p->privileged,
        .sudo = p->sudo,
        .argv = p->argv,
        .input = p->input,
        .plan = p->plan,
    };
    if (!p->sandbox && confinement_fill_sandbox(p, &out->setup, e) < 0)
        return -1;
    if (!p->sandbox)
        out->setup.spec.report = p->report;
    name_roots(p, out);
    return 0;
}
