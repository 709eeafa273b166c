/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_select.c - what find or git clean would delete below a path. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "guard/effects/effects_find.h"
#include "guard/effects/effects_look.h"
#include "guard/effects/effects_path.h"
#include "guard/path/path_absolute.h"

struct finding {
    struct effects_look *look;
    const struct find_tests *tests;
    enum risk_use use;
    bool deep; /* -exec rm -r: a directory goes with all that is in it */
    size_t root_len;
    dev_t device;
    struct glob_list ahead;
};

static unsigned
depth_of(const struct finding *f, const char *path)
{
    unsigned depth = 0;

    for (const char *p = path + f->root_len; *p; p++)
        depth += *p == '/';
    return depth;
}

static void
visit(struct finding *f, const char *path)
{
    unsigned depth = depth_of(f, path);
    struct stat st;
    bool hit;

    if (lstat(path, &st) < 0)
        return;
    if (depth == 0)
        f->device = st.st_dev;
    hit = find_tests_hold(f->tests, path, &st, depth);
    if (hit)
        effects_add_path(f->look, path, f->use, f->deep && S_ISDIR(st.st_mode));
    if (!S_ISDIR(st.st_mode) || depth >= f->tests->max_depth ||
        (hit && f->deep))
        return;
    if (st.st_dev == f->device)
        glob_list_add(&f->ahead, path, strlen(path));
    else
        f->look->limit.more = true;
}

static void
visit_below(struct finding *f, const char *dir)
{
    CLEANUP(dir_close_p) DIR *d = opendir(dir);
    const struct dirent *entry;

    while (d && glob_limit_take(&f->look->limit) &&
           (entry = readdir(d)) != NULL) {
        char path[PATH_MAX];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(path, sizeof(path), "%s%s%s", dir, dir[1] ? "/" : "",
                     entry->d_name) < PATH_MAX)
            visit(f, path);
    }
}

static void
find_below(struct finding *f, const char *root)
{
    f->root_len = root[1] ? strlen(root) : 0;
    visit(f, root);
    for (size_t i = 0; i < f->ahead.n; i++)
        visit_below(f, f->ahead.v[i]);
    f->look->out->more |= f->ahead.more;
    glob_list_done(&f->ahead);
}

/* The call of find that hands `{}` to another. */
static const struct risk_call *
find_around(const struct risk *r, const struct risk_path *p)
{
    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if (strcmp(c->name, "find") == 0 && c->from <= p->from &&
            p->from < c->to)
            return c;
    }
    return NULL;
}

/* The call of find whose output xargs hands to another, nothing between. */
static const struct risk_call *
find_before(const struct risk *r, const struct risk_path *p)
{
    const struct risk_call *last = NULL;

    for (size_t i = 1; i < r->n_calls; i++)
        if (strcmp(r->calls[i].wrapper, "xargs") == 0 &&
            strcmp(r->calls[i - 1].name, "find") == 0 &&
            r->calls[i - 1].to <= p->from)
            last = &r->calls[i - 1];
    return last;
}

/* Where find begins: the paths that it reads among its first words. */
static bool
is_root(const struct risk_path *p, const struct risk_call *c)
{
    if (p->use != RISK_READS || p->from < c->from || p->from >= c->to)
        return false;
    for (size_t i = 1; i < c->n && !strchr("-(!", c->argv[i][0]); i++)
        if (strcmp(c->argv[i], p->text) == 0)
            return true;
    return false;
}

/* What the tests hold for below a root, touched as p is. */
static void
find_from(struct effects_look *l, const struct find_tests *tests,
          const struct risk_path *p, const struct risk_path *root)
{
    struct finding f = {.look = l, .tests = tests, .use = p->use};
    struct glob_list found = {0};
    char all_of[PATH_MAX];

    /* find -delete takes a directory when it is empty only */
    f.deep = p != root && p->recursive;
    if (!tests->narrow && p->use == RISK_DELETES)
        effects_check_never(l, root);
    if (!effects_path_expand(l, root, &found, all_of))
        l->out->unknown = true;
    for (size_t i = 0; i < found.n && !l->out->never; i++)
        find_below(&f, found.v[i]);
    glob_list_done(&found);
}

/* Whether some {} of this call was looked at as p would be; from now on, yes.
 */
static bool
is_known(struct effects_look *l, const struct risk_call *c,
         const struct risk_path *p)
{
    unsigned use = 1u << (2 * p->use + p->recursive);
    bool known;

    if (l->find != c)
        l->find_uses = 0;
    known = l->find_uses & use;
    l->find = c;
    l->find_uses |= use;
    return known;
}

/* find … -exec rm {}; find … | xargs rm. Without a root it begins here. */
static bool
select_exec(struct effects_look *l, const struct risk_path *p)
{
    const struct risk_call *c = NULL;
    struct risk_path here = {.known = true, .text = ".", .dir = p->dir};
    struct find_tests tests;
    bool rooted = false;

    if (strcmp(p->text, "{}") != 0)
        return false;
    c = find_around(l->r, p);
    if (!c)
        c = find_before(l->r, p);
    if (!c)
        return false;
    if (is_known(l, c, p))
        return true;
    if (!find_tests_read(c, &tests)) {
        l->out->unknown = true;
        return true;
    }
    for (size_t i = 0; i < l->r->n_paths; i++) {
        if (!is_root(&l->r->paths[i], c))
            continue;
        find_from(l, &tests, p, &l->r->paths[i]);
        rooted = true;
    }
    if (!rooted)
        find_from(l, &tests, p, &here);
    return true;
}

static void
select_delete(struct effects_look *l, const struct risk_call *call,
              const struct risk_path *p)
{
    struct find_tests tests;

    if (find_tests_read(call, &tests))
        find_from(l, &tests, p, p);
    else
        l->out->unknown = true;
}

/* The directory that a call starts in, when `cd` with plain words made it. */
static bool
directory_of(const struct effects_look *l, const struct risk_call *call,
             char out[PATH_MAX])
{
    bool cut;

    if (!l->where->cwd || strlen(l->where->cwd) >= PATH_MAX)
        return false;
    snprintf(out, PATH_MAX, "%s", l->where->cwd);
    for (const struct risk_call *c = l->r->calls; c < call; c++) {
        char from[PATH_MAX];

        if (strcmp(c->name, "pushd") == 0 || strcmp(c->name, "popd") == 0)
            return false;
        if (strcmp(c->name, "cd") != 0)
            continue;
        memcpy(from, out, sizeof(from));
        if (c->n > 2 ||
            !path_absolute(c->n == 2 ? c->argv[1] : "~", from, l->where, out,
                           &cut) ||
            cut)
            return false;
    }
    return true;
}

bool
effects_select_here(struct effects_look *l, const struct risk_call *call)
{
    char dir[PATH_MAX];
    struct risk_path p = {.use = RISK_DELETES,
                          .recursive = true,
                          .known = true,
                          .text = ".",
                          .dir = dir};
    bool deletes = false;

    if (strcmp(call->name, "find") != 0 || call->n < 2 ||
        !strchr("-(!", call->argv[1][0]))
        return false;
    for (size_t i = 1; i < call->n; i++)
        deletes |= strcmp(call->argv[i], "-delete") == 0;
    if (!deletes || !directory_of(l, call, dir))
        return false;
    select_delete(l, call, &p);
    return true;
}

bool
effects_select(struct effects_look *l, const struct risk_call *call,
               const struct risk_path *p)
{
    struct find_tests tests;

    if (!p->known)
        return select_exec(l, p);
    if (!call || p->use != RISK_DELETES)
        return false;
    if (effects_git_clean(l, call, p))
        return true;
    if (strcmp(call->name, "find") != 0)
        return false;
    /* without tests it is as rm -r: p means itself, and all below it */
    if (find_tests_read(call, &tests) && !tests.narrow && !tests.type &&
        !tests.min_depth)
        return false;
    select_delete(l, call, p);
    return true;
}
