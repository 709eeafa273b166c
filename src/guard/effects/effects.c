/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects.c - what exactly a destructive line would touch. */
#include "guard/effects/effects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/path.h"
#include "guard/effects/effects_look.h"
#include "guard/effects/effects_path.h"
#include "guard/path/path_table.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What changes all that lies below a path, and so is as bad as deleting it. */
static const char *const changers[] = {"chmod", "chown", "chgrp", "setfacl",
                                       "chattr"};

static bool
is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The innermost call that a path was found in. */
static const struct risk_call *
call_of(const struct risk *r, const struct risk_path *p)
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

void
effects_say_never(struct effects_look *l, const char *before, const char *path,
                  const char *after)
{
    char text[PATH_MAX];

    if (l->out->never)
        return;
    path_short(path, l->where->home, text);
    if (asprintf(&l->out->never, "%s%s%s", before, text, after) < 0) {
        l->out->never = NULL;
        l->no_room = true;
    }
}

/* How a path of the line is touched. */
struct touch {
    enum risk_use use;
    bool deep;    /* with what lies below it */
    bool whole;   /* so that losing all of it is possible: never applies */
    bool changed; /* a raw disk may be what is overwritten */
};

static struct touch
touch_of(const struct risk_path *p, const struct risk_call *c)
{
    bool changer = c && p->use != RISK_READS && p->use != RISK_DELETES &&
                   is_one_of(c->name, changers, N_OF(changers));
    bool all = p->recursive && (changer || p->use == RISK_DELETES);
    bool some = c && p->use == RISK_DELETES && strcmp(c->name, "rsync") == 0;

    /* rsync --delete takes those alone that its source lacks */
    return (struct touch){
        .use = changer || some ? RISK_CHANGES : p->use,
        .deep = all,
        .whole = all || p->use == RISK_DELETES,
        .changed = p->use == RISK_CHANGES || p->use == RISK_MAKES,
    };
}

/* A path by its spelling, by where it lies, and by where it leads when it is
 * a link that the program would follow: rm takes the link, chmod its target. */
static const char *
why_never(struct effects_look *l, const char *path, const char *clean,
          const struct touch *t)
{
    const char *why = effects_never_itself(clean, l->where->home);
    char real[PATH_MAX];
    struct stat st;

    if (why || !effects_real_path(l, path, real))
        return why;
    if (strcmp(real, clean) != 0)
        why = effects_never_itself(real, l->home[0] ? l->home : NULL);
    if (why || (t->use == RISK_DELETES && path[strlen(path) - 1] != '/') ||
        lstat(real, &st) < 0 || !S_ISLNK(st.st_mode))
        return why;
    return effects_never(real, l->where->home);
}

static void
check_never(struct effects_look *l, const char *path, const struct touch *t)
{
    char clean[PATH_MAX], text[128];
    const char *why;

    if ((!t->whole && !t->changed) || l->out->never)
        return;
    snprintf(clean, sizeof(clean), "%s", path);
    path_clean(clean);
    why = why_never(l, path, clean, t);
    if (!why || (!t->whole && !strstr(why, "raw disk")))
        return;
    snprintf(text, sizeof(text), ", %s", why);
    effects_say_never(l, "", clean, text);
}

/* What is refused needs no figures (/ has many files); the refusal needs every
 * path, the list its own length, and the figures end with the time. */
static void
touch_all(struct effects_look *l, const struct glob_list *found,
          const struct touch *t)
{
    for (size_t i = 0; i < found->n; i++)
        check_never(l, found->v[i], t);
    for (size_t i = 0; i < found->n && t->use != RISK_MAKES; i++) {
        if (l->out->never ||
            (!glob_limit_take(&l->limit) && i >= EFFECTS_PATHS_MAX))
            break;
        effects_add_path(l, found->v[i], t->use, t->deep);
    }
    l->out->more |= found->more;
}

/* Everything in / or in $HOME is the same as the directory itself; so is
 * everything in what the system consists of. */
static bool
needs_its_contents(const char *dir, const char *home)
{
    return path_is(dir, PATH_IS_VITAL) || (home && path_is_below(home, dir));
}

static void
check_all_of(struct effects_look *l, const char *dir, bool known)
{
    char clean[PATH_MAX];

    snprintf(clean, sizeof(clean), "%s", dir);
    path_clean(clean);
    if (needs_its_contents(clean, l->where->home))
        effects_say_never(l, "everything in ", clean,
                          known ? ""
                                : ", if the part before the / is empty (${x:?} "
                                  "would stop there)");
}

/* cp with a pattern names nothing in the directory that it copies to: what is
 * there under the same names is found by looking at what is copied. */
static bool
is_guess(const struct risk_path *p)
{
    return p->use == RISK_CHANGES && !p->word && strpbrk(p->text, "*?[");
}

static void
look_at_path(struct effects_look *l, const struct risk_path *p)
{
    const struct risk_call *c = call_of(l->r, p);
    struct touch t = touch_of(p, c);
    struct glob_list found = {0};
    char all_of[PATH_MAX];
    bool known;

    if (p->use == RISK_READS ||
        (p->use >= RISK_CHANGES && effects_select(l, c, p)))
        return;
    if (is_guess(p)) {
        l->out->unknown |= !effects_copy(l, p);
        return;
    }
    known = effects_path_expand(l, p, &found, all_of);
    if (t.whole && all_of[0])
        check_all_of(l, all_of, known);
    touch_all(l, &found, &t);
    if (t.use != RISK_MAKES && !known)
        l->out->unknown = true;
    glob_list_done(&found);
}

void
effects_check_never(struct effects_look *l, const struct risk_path *p)
{
    struct touch t = {RISK_DELETES, true, true, false};
    struct glob_list found = {0};
    char all_of[PATH_MAX];

    effects_path_expand(l, p, &found, all_of);
    for (size_t i = 0; i < found.n; i++)
        check_never(l, found.v[i], &t);
    glob_list_done(&found);
}

/* A call that destroys and was not seen to destroy anything in particular:
 * nobody can say what. What xargs or find run stands within them. */
static bool
is_seen(const struct risk *r, const struct risk_call *c)
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

/* A service, a container, another machine: no file or process of ours, and
 * its reason says what it is. */
static bool
is_elsewhere(const struct risk_call *c)
{
    return (c->facts & (RISK_ACTS | RISK_NETWORK)) != 0;
}

static void
look(struct effects_look *l)
{
    const struct risk *r = l->r;

    for (size_t i = 0; i < r->n_paths; i++)
        look_at_path(l, &r->paths[i]);
    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if ((c->facts & RISK_DESTRUCTIVE) && !effects_kill(l, c) &&
            !is_seen(r, c) && !is_elsewhere(c) && !effects_select_here(l, c))
            l->out->unknown = true;
    }
    l->out->unknown |= (r->facts & RISK_OPAQUE) != 0;
    l->out->more |= l->limit.more;
}

int
effects_find(const struct risk *r, const struct risk_place *where,
             const char *workspace, struct effects *out, struct err *e)
{
    struct effects x = {0};
    struct effects_look l = {
        .r = r,
        .where = where,
        .out = &x,
        .limit = {clock_us() + EFFECTS_MS * 1000, EFFECTS_FILES_MAX, false}};

    if (!workspace)
        workspace = where->cwd;
    if (workspace && !realpath(workspace, l.workspace))
        snprintf(l.workspace, sizeof(l.workspace), "%s", workspace);
    if (where->home && !realpath(where->home, l.home))
        snprintf(l.home, sizeof(l.home), "%s", where->home);
    look(&l);
    git_index_free(l.index);
    free(l.top);
    if (l.no_room) {
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
    free(x->never);
    *x = (struct effects){0};
}
