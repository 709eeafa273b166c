/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apply_check.c - is every original what it was? */
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "sandbox/preview/apply.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes_in.h"

const char *
apply_state_text(enum apply_state s)
{
    static const char *const texts[APPLY_STATE_N] = {
        [APPLY_WAITING] = "not done",
        [APPLY_DONE] = "done",
        [APPLY_LEFT_OUT] = "left out",
        [APPLY_CHANGED] = "was changed in the meantime",
        [APPLY_GONE] = "was removed in the meantime",
        [APPLY_APPEARED] = "exists now",
        [APPLY_MOVED] = "its directory was removed, or is now a symbolic link",
        [APPLY_UNWRITABLE] = "its directory is not writable",
    };

    return texts[s];
}

/* Whether the directory that holds an entry is itself one of the changes: it
 * will be there, and open to us, when its turn comes. */
static bool
has_listed_parent(const struct changes *list, const char *path)
{
    const char *slash = strrchr(path, '/');
    char dir[PATH_MAX] = ".";
    const struct change *parent;
    size_t n = slash ? (size_t)(slash - path) : 0;

    if (n >= sizeof(dir))
        return false;
    if (n > 0) {
        memcpy(dir, path, n);
        dir[n] = '\0';
    }
    parent = changes_find(list, dir);
    return parent && S_ISDIR(parent->after.st_mode);
}

static bool
is_same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
    if ((a->st_mode & S_IFMT) != (b->st_mode & S_IFMT) ||
        a->st_ino != b->st_ino || a->st_dev != b->st_dev)
        return false;
    return S_ISDIR(a->st_mode) || (a->st_size == b->st_size &&
                                   is_same_time(&a->st_ctim, &b->st_ctim) &&
                                   is_same_time(&a->st_mtim, &b->st_mtim));
}

/* A directory that goes: everything in it must be what it was. */
static int
look_below(const struct apply_spec *s, const struct change *c,
           enum apply_state *state, struct err *e)
{
    struct change now = {.before = c->before};

    if (changes_weigh(s->view, c->path, &now, e) < 0)
        return -1;
    if (now.meanwhile || now.files != c->files || now.bytes != c->bytes ||
        now.bar != CHANGE_FREE)
        *state = APPLY_CHANGED;
    return 0;
}

static int
look_at_original(const struct apply_spec *s, const struct change *c, int dir,
                 const char *name, enum apply_state *state, struct err *e)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        if (c->before.st_mode)
            *state = APPLY_GONE;
        return 0;
    }
    if (!c->before.st_mode)
        *state = APPLY_APPEARED;
    else if (!is_same(&c->before, &st))
        *state = APPLY_CHANGED;
    else if (S_ISDIR(st.st_mode) && c->kind != CHANGE_ATTRIBUTES)
        return look_below(s, c, state, e);
    return 0;
}

/* Now, or when we, who own it, have opened it. */
static bool
can_write_in(int dir)
{
    struct stat st;

    return faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0 ||
           (fstat(dir, &st) == 0 && st.st_uid == geteuid());
}

static int
look(const struct apply_spec *s, const struct change *c,
     enum apply_state *state, struct err *e)
{
    const char *name;
    CLEANUP(fd_close_p)
    int dir = beneath_parent(s->view->lower, c->path, &name);
    bool listed = has_listed_parent(s->list, c->path);

    *state = APPLY_WAITING;
    if (c->bar != CHANGE_FREE) {
        *state = APPLY_LEFT_OUT;
        return 0;
    }
    if (c->meanwhile) {
        *state = c->before.st_mode ? APPLY_CHANGED : APPLY_GONE;
        return 0;
    }
    if (dir < 0) {
        if (!listed)
            *state = APPLY_MOVED;
        return 0;
    }
    if (!listed && c->kind != CHANGE_ATTRIBUTES && !can_write_in(dir)) {
        *state = APPLY_UNWRITABLE;
        return 0;
    }
    return look_at_original(s, c, dir, name, state, e);
}

int
apply_check(const struct apply_spec *s, struct apply_report *out, struct err *e)
{
    size_t first = 0;

    free(out->state);
    *out = (struct apply_report){.state = calloc(s->list->n + 1, 1)};
    if (!out->state)
        return err_nomem(e);
    for (size_t i = 0; i < s->list->n; i++) {
        enum apply_state state;

        if (look(s, &s->list->v[i], &state, e) < 0)
            return -1;
        out->state[i] = (unsigned char)state;
        out->left_out += state == APPLY_LEFT_OUT;
        if (state > APPLY_LEFT_OUT && out->refused++ == 0)
            first = i;
    }
    if (out->refused == 0)
        return 0;
    return err_set(e, ERR_PERMISSION, "nothing was changed: %s %s",
                   s->list->v[first].path, apply_state_text(out->state[first]));
}
