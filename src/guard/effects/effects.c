/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects.c - scans a destructive line for what it would touch. */
#include "guard/effects/effects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/path.h"
#include "guard/effects/effects_scan.h"
#include "guard/path/path_table.h"

/* These programs change everything below a path, which is as bad as deleting
 * it. */
static const char *const changers[] = {"chmod", "chown", "chgrp", "setfacl",
                                       "chattr"};

static bool
name_is_in(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The innermost call that the path stands in. */
static const struct risk_call *
innermost_call(const struct risk *r, const struct risk_path *p)
{
    const struct risk_call *best = NULL;

    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if (p->from < c->from || p->from >= c->to)
            continue;
        if (!best || c->to - c->from <= best->to - best->from)
            best = c;
    }
    return best;
}

static struct effects_touch
classify_touch(const struct risk_path *p, const struct risk_call *c)
{
    bool changer = c && p->use != RISK_READS && p->use != RISK_DELETES &&
                   name_is_in(c->name, changers, ARRAY_SIZE(changers));
    bool all = p->recursive && (changer || p->use == RISK_DELETES);
    bool some = c && p->use == RISK_DELETES && strcmp(c->name, "rsync") == 0;

    /* rsync --delete removes only what its source lacks */
    return (struct effects_touch){
        .use = changer || some ? RISK_CHANGES : p->use,
        .deep = all,
        .whole = all || p->use == RISK_DELETES,
        .changed = p->use == RISK_CHANGES || p->use == RISK_MAKES,
    };
}

/* Every path is checked for protection, because a refusal needs no figures, and
 * counting / would take long. The list of paths is filled up to its length, and
 * counting stops when the time is over. */
static void
add_found(struct effects_scan *scan, const struct glob_list *found,
          const struct effects_touch *t)
{
    for (size_t i = 0; i < found->n; i++)
        effects_check_protected(scan, found->v[i], t);
    for (size_t i = 0; i < found->n && t->use != RISK_MAKES; i++) {
        if (scan->out->protected_path ||
            (!glob_limit_take(&scan->limit) && i >= EFFECTS_PATHS_MAX))
            break;
        effects_scan_add(scan, found->v[i], t->use, t->deep);
    }
    scan->out->more |= found->more;
}

/* cp with a pattern does not name the files that it overwrites in the target
 * directory. They are found by expanding what is copied. */
static bool
is_copy_pattern(const struct risk_path *p)
{
    return p->use == RISK_CHANGES && !p->word && strpbrk(p->text, "*?[");
}

static void
scan_path(struct effects_scan *scan, const struct risk_path *p)
{
    const struct risk_call *c = innermost_call(scan->r, p);
    struct effects_touch t = classify_touch(p, c);
    struct glob_list found = {0};
    char all_of[PATH_MAX];
    bool known;

    if (p->use == RISK_READS ||
        (p->use >= RISK_CHANGES && effects_select(scan, c, p)))
        return;
    if (is_copy_pattern(p)) {
        scan->out->unknown |= !effects_copy(scan, p);
        return;
    }
    known = effects_expand(scan, p, &found, all_of);
    if (t.whole && all_of[0])
        effects_check_all_of(scan, all_of, known);
    add_found(scan, &found, &t);
    if (t.use != RISK_MAKES && !known)
        scan->out->unknown = true;
    glob_list_done(&found);
}

/* Whether a path of the line says what a destructive call destroys. If none
 * does, nobody can tell. The calls that xargs or find make stand within
 * them. */
static bool
has_known_target(const struct risk *r, const struct risk_call *c)
{
    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *p = &r->paths[i];
        bool within = p->from >= c->from && p->from < c->to;

        if (p->use >= RISK_CHANGES &&
            (within || (c->wrapper[0] && strcmp(p->text, "{}") == 0)))
            return true;
    }
    return false;
}

/* The call acts on a service, a container or another machine: no local file or
 * process is touched, and the reason of its risk says what is. */
static bool
acts_elsewhere(const struct risk_call *c)
{
    return (c->facts & (RISK_ACTS | RISK_NETWORK)) != 0;
}

static void
scan_line(struct effects_scan *scan)
{
    const struct risk *r = scan->r;

    for (size_t i = 0; i < r->n_paths; i++)
        scan_path(scan, &r->paths[i]);
    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if ((c->facts & RISK_DESTRUCTIVE) && !effects_signals(scan, c) &&
            !has_known_target(r, c) && !acts_elsewhere(c) &&
            !effects_select_here(scan, c))
            scan->out->unknown = true;
    }
    scan->out->unknown |= (r->facts & RISK_OPAQUE) != 0;
    scan->out->more |= scan->limit.more;
}

int
effects_find(const struct risk *r, const struct path_context *where,
             const char *workspace, struct effects *out, struct err *e)
{
    struct effects x = {0};
    struct effects_scan scan = {
        .r = r,
        .where = where,
        .out = &x,
        .limit = {.until_us = clock_us() + EFFECTS_MS * 1000,
                  .entries = EFFECTS_FILES_MAX,
                  .unwanted = where->unwanted}};

    if (!workspace)
        workspace = where->cwd;
    if (workspace && !realpath(workspace, scan.workspace))
        snprintf(scan.workspace, sizeof(scan.workspace), "%s", workspace);
    if (where->home && !realpath(where->home, scan.home))
        snprintf(scan.home, sizeof(scan.home), "%s", where->home);
    scan_line(&scan);
    git_index_free(scan.index);
    free(scan.top);
    if (scan.no_room) {
        effects_done(&x);
        return err_nomem(e);
    }
    *out = x;
    return 0;
}

void
effects_done(struct effects *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n_paths; i++)
        free(x->paths[i].path);
    free(x->paths);
    free(x->processes);
    free(x->protected_path);
    *x = (struct effects){0};
}
