/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.c - names the sandbox's profiles, and adapts a choice of one. */
#include "guard/profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_autorun.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/profile/profile_keys.h"

static const struct profile_row rows[PROFILE_N] = {
    [PROFILE_READ_ONLY] = {"read-only",
                           "reads the workspace; writes nothing, no network, "
                           "the home directory hidden"},
    [PROFILE_OBSERVE] = {"observe", "reads the machine and the home directory "
                                    "without its keys; writes nothing"},
    [PROFILE_OBSERVE_PROC] = {"observe-proc",
                              "reads other processes' open files (lsof, fuser, "
                              "ss -p); writes nothing"},
    [PROFILE_WORKSPACE_WRITE] = {"workspace-write",
                                 "reads and writes inside the workspace; the "
                                 "network only with --net"},
    [PROFILE_PREVIEW] =
        {"preview", "writes into a copy of the workspace, to keep or drop"},
    [PROFILE_PLUGIN] = {"plugin", "what a tool's manifest declares"},
    [PROFILE_REDUCED] =
        {"reduced",
         "workspace-write without user namespaces: fewer protections"},
    [PROFILE_FULL] = {"full",
                      "no sandbox: everything that you may do yourself"},
};

const struct profile_row *
profile_row(enum profile p)
{
    return &rows[p < PROFILE_N ? p : PROFILE_READ_ONLY];
}

bool
profile_find(const char *name, enum profile *out)
{
    for (int i = 0; i < PROFILE_N; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *out = (enum profile)i;
        return true;
    }
    return false;
}

static void
to_directory(char *path, bool itself)
{
    struct stat st;

    if (itself && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return;
    do {
        char *slash = strrchr(path, '/');

        slash[slash == path ? 1 : 0] = '\0';
    } while (path[1] && (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)));
}

static bool
dir_is_autorun(const char *dir, const struct path_context *where)
{
    CLEANUP(path_autorun_done) struct path_autorun by_name = {0};

    path_autorun_init(&by_name, where);
    return path_autorun_is(&by_name, dir, true);
}

bool
profile_find_writable_dir(const char *path, const struct path_context *where,
                          bool itself, bool writes, char dir[PATH_MAX])
{
    snprintf(dir, PATH_MAX, "%s", path);
    to_directory(dir, itself);
    return !path_is_never_writable(dir, where->home) &&
           !(writes && dir_is_autorun(dir, where));
}

static void
drop_list(char **list, size_t *n)
{
    for (; *n > 0; --*n)
        free(TAKE_PTR(list[*n - 1]));
}

static void
drop_added(struct profile_choice *c)
{
    for (; c->n_added > 0; c->n_added--)
        free(TAKE_PTR(c->added[c->n_added - 1].path));
}

/* What a line would write that runs without a question. */
struct unasked_writes {
    const struct path_context *where;
    const char *workspace;
    struct profile_choice *out;
    char *why; /* char[160] */
    struct err *e;
};

static void
set_needs_approval(struct unasked_writes *a, const char *does, const char *path,
                   const char *after)
{
    if (!a->why[0])
        snprintf(a->why, 160, "%s%.90s%s: needs your approval", does, path,
                 after);
}

static int
add_addition(struct unasked_writes *a, const char *path, bool below, bool grows)
{
    struct profile_choice *c = a->out;

    if (c->n_added == PROFILE_DIRS_MAX) {
        set_needs_approval(a, "it makes many files", "", "");
        return 0;
    }
    c->added[c->n_added].path = strdup(path);
    if (!c->added[c->n_added].path)
        return err_nomem(a->e);
    c->added[c->n_added].grows = grows;
    c->added[c->n_added++].below = below;
    return 0;
}

/* A path is an addition when its name is known, it lies in the workspace, and
 * it does not exist or is a file that the line appends to. */
static int
judge_addition(struct unasked_writes *a, const struct risk_path *p)
{
    char path[PATH_MAX];
    struct stat st;
    bool cut;

    if (!p->known || !path_absolute(p->text, p->dir, a->where, path, &cut) ||
        cut) {
        set_needs_approval(a, "it writes to ", p->text,
                           ", which names no file yet");
        return 0;
    }
    if (path_is_sink(path))
        return 0;
    if (!a->workspace || !path_is_below(path, a->workspace)) {
        set_needs_approval(a, "it writes ", p->text, "");
        return 0;
    }
    if (lstat(path, &st) < 0 && errno == ENOENT)
        return add_addition(a, path, p->recursive, false);
    if (p->use == RISK_MAKES && !p->recursive && S_ISREG(st.st_mode))
        return add_addition(a, path, false, true);
    set_needs_approval(a, S_ISDIR(st.st_mode) ? "it writes in " : "it changes ",
                       p->text, "");
    return 0;
}

int
profile_auto_approved(const struct risk *r, const struct path_context *where,
                      const char *workspace, struct profile_choice *c,
                      char why[160], struct err *e)
{
    struct unasked_writes a = {where, workspace, c, why, e};
    bool named = false;

    why[0] = '\0';
    for (size_t i = 0; i < r->n_paths; i++) {
        if (r->paths[i].use == RISK_READS)
            continue;
        named = true;
        if (judge_addition(&a, &r->paths[i]) < 0)
            return -1;
    }
    if ((r->facts & RISK_WRITES) && !named)
        set_needs_approval(&a, "it writes", "", "");
    if (c->profile == PROFILE_FULL ||
        (c->profile == PROFILE_OBSERVE_PROC && c->n_added > 0))
        set_needs_approval(&a, "it ", c->why, "");
    if (why[0])
        return 0;
    drop_list(c->writable, &c->n_writable);
    if (c->profile == PROFILE_WORKSPACE_WRITE)
        c->profile = PROFILE_READ_ONLY;
    return 0;
}

void
profile_make_full(struct profile_choice *c)
{
    c->profile = PROFILE_FULL;
    drop_added(c);
    drop_list(c->writable, &c->n_writable);
    drop_list(c->readable, &c->n_readable);
    drop_list(c->reader, &c->n_reader);
    free(TAKE_PTR(c->rest));
    c->owners = false;
}

void
profile_reduce(struct profile_choice *c)
{
    if (c->profile == PROFILE_FULL ||
        (c->profile == PROFILE_OBSERVE_PROC && !c->rest))
        return;
    c->reduced = true;
    if (c->profile == PROFILE_WORKSPACE_WRITE)
        c->profile = PROFILE_REDUCED;
}

void
profile_choice_done(struct profile_choice *c)
{
    if (!c)
        return;
    drop_list(c->writable, &c->n_writable);
    drop_list(c->readable, &c->n_readable);
    drop_list(c->reader, &c->n_reader);
    free(c->rest);
    drop_added(c);
    *c = (struct profile_choice){0};
}
