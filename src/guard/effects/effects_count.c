/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_count.c - how much lies below a path, and what git knows of it. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "guard/effects/effects_look.h"

#define DEPTH_MAX 64 /* descriptors open at once; deeper is `more` */

/* What lies at a path, and below it where that goes too. */
struct count {
    uint64_t files, bytes, untracked;
};

struct level {
    DIR *dir;
    size_t path_len; /* of this directory's path */
};

struct walk {
    struct effects_look *look;
    const struct git_index *index; /* NULL: no repository */
    struct count *count;
    dev_t device;
    struct level levels[DEPTH_MAX];
    size_t depth;
    char path[PATH_MAX];
};

/* The directory that a path stands in. */
static void
dir_of(const char *path, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');

    snprintf(out, PATH_MAX, "%.*s",
             !slash || slash == path ? 1 : (int)(slash - path), path);
}

static void
open_repo(struct effects_look *l, const char *path)
{
    char *top = git_index_find_top(path);

    l->in_repo = top != NULL;
    if (!top || (l->top && strcmp(top, l->top) == 0)) {
        free(top);
        return;
    }
    git_index_free(l->index);
    free(l->top);
    l->top = top;
    l->index = git_index_open(top, NULL);
}

const struct git_index *
effects_repo(struct effects_look *l, const char *path)
{
    char dir[PATH_MAX];

    dir_of(path, dir);
    if (strcmp(dir, l->repo_dir) != 0) {
        open_repo(l, path);
        memcpy(l->repo_dir, dir, sizeof(dir));
    }
    return l->in_repo ? l->index : NULL;
}

static bool
open_level(struct walk *w, int at, const char *name, size_t path_len)
{
    CLEANUP(fd_close_p)
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir;

    if (w->depth == DEPTH_MAX || fd < 0 || !(dir = fdopendir(fd))) {
        w->look->limit.more = true; /* it may hold anything */
        return false;
    }
    TAKE_FD(fd);
    w->levels[w->depth++] = (struct level){dir, path_len};
    return true;
}

static void
count_file(struct walk *w, const struct stat *st)
{
    size_t top = w->look->top ? strlen(w->look->top) : 0;

    w->count->files++;
    if (S_ISREG(st->st_mode))
        w->count->bytes += (uint64_t)st->st_size;
    if (w->index && strlen(w->path) > top &&
        !git_index_has(w->index, w->path + top + 1))
        w->count->untracked++;
}

static void
visit(struct walk *w, const char *name)
{
    struct level *l = &w->levels[w->depth - 1];
    int at = dirfd(l->dir);
    struct stat st;
    int n;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return;
    n = snprintf(w->path + l->path_len, sizeof(w->path) - l->path_len, "/%s",
                 name);
    if (n < 0 || (size_t)n >= sizeof(w->path) - l->path_len ||
        fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        w->look->limit.more = true;
        return;
    }
    if (!S_ISDIR(st.st_mode))
        count_file(w, &st);
    else if (st.st_dev != w->device)
        w->look->limit.more = true;
    else
        open_level(w, at, name, l->path_len + (size_t)n);
}

/* Counts a directory's files. No link is followed, and no other file system
 * entered, though rm would: to look there may wake a server or wait for one
 * that is gone. It is then `more`. */
static void
count_below(struct effects_look *l, const char *dir,
            const struct git_index *index, struct count *c)
{
    struct walk w = {.look = l, .index = index, .count = c};
    struct stat st;

    snprintf(w.path, sizeof(w.path), "%s", dir);
    if (lstat(dir, &st) < 0 || !open_level(&w, AT_FDCWD, dir, strlen(dir)))
        return;
    w.device = st.st_dev;
    while (w.depth > 0) {
        struct level *top = &w.levels[w.depth - 1];
        const struct dirent *d = glob_limit_take(&l->limit) ? readdir(top->dir)
                                                            : NULL;

        if (d) {
            visit(&w, d->d_name);
        } else {
            closedir(top->dir);
            w.depth--;
        }
    }
}

bool
effects_real_path(struct effects_look *l, const char *path, char out[PATH_MAX])
{
    char plain[PATH_MAX], dir[PATH_MAX];
    const char *base;
    size_t n = strlen(path);
    int len;

    while (n > 1 && path[n - 1] == '/')
        n--;
    len = snprintf(plain, sizeof(plain), "%.*s", (int)n, path);
    base = path_base(plain);
    if (len >= PATH_MAX || strcmp(base, ".") == 0 || strcmp(base, "..") == 0 ||
        !base[0])
        return realpath(path, out) != NULL;
    dir_of(plain, dir);
    if (strcmp(dir, l->dir) != 0) {
        l->dir[0] = '\0';
        if (!realpath(dir, l->real_dir))
            return false;
        memcpy(l->dir, dir, sizeof(dir));
    }
    len = snprintf(out, PATH_MAX, "%s/%s", l->real_dir[1] ? l->real_dir : "",
                   base);
    return len > 0 && len < PATH_MAX;
}

/* A repository of its own, or where one keeps its history. */
static bool
is_repository(const char *path)
{
    char git[PATH_MAX];
    struct stat st;

    if (strcmp(path_base(path), ".git") == 0)
        return true;
    return snprintf(git, sizeof(git), "%s/.git", path) < PATH_MAX &&
           lstat(git, &st) == 0;
}

/* False: what is there is not ours to see. */
static bool
measure(struct effects_look *l, struct effects_path *p, const char *real,
        bool deep)
{
    struct count c = {0};
    const struct git_index *index = effects_repo(l, real);
    struct stat st;
    bool hidden;

    if (lstat(real, &st) < 0) {
        hidden = errno != ENOENT && errno != ENOTDIR;
        l->out->unknown |= hidden;
        return !hidden;
    }
    p->exists = true;
    p->is_directory = S_ISDIR(st.st_mode);
    if (!p->is_directory) {
        c.files = 1;
        c.bytes = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
        c.untracked = index && !git_index_has(index, real + strlen(l->top) + 1);
    } else if (deep) {
        count_below(l, real, index, &c);
        p->repository = p->use == RISK_DELETES && is_repository(real);
    }
    p->files = c.files;
    p->bytes = c.bytes;
    p->untracked = c.untracked > 0;
    l->out->files += c.files;
    l->out->bytes += c.bytes;
    l->out->untracked += c.untracked;
    if (p->outside)
        l->out->outside += c.files;
    return true;
}

static bool
is_listed(const struct effects *x, const char *path)
{
    for (size_t i = 0; i < x->n_paths; i++)
        if (strcmp(x->paths[i].path, path) == 0)
            return true;
    return false;
}

static bool
paths_room(struct effects *x)
{
    if (!x->paths)
        x->paths = calloc(EFFECTS_PATHS_MAX, sizeof(*x->paths));
    return x->paths != NULL;
}

/* A device or a FIFO loses nothing when it is written to. */
static bool
keeps_nothing(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
           !S_ISDIR(st.st_mode) && !S_ISBLK(st.st_mode);
}

/* Past the list's end the figures still go on. */
void
effects_add_path(struct effects_look *l, const char *path, enum risk_use use,
                 bool deep)
{
    struct effects *x = l->out;
    struct effects_path p = {.use = use};
    char clean[PATH_MAX], real[PATH_MAX];

    snprintf(clean, sizeof(clean), "%s", path);
    path_clean(clean);
    if (is_listed(x, clean) || (use == RISK_CHANGES && keeps_nothing(clean)))
        return;
    if (!effects_real_path(l, path, real))
        snprintf(real, sizeof(real), "%s", clean);
    p.outside = l->workspace[0] && !path_is_below(real, l->workspace);
    if (!measure(l, &p, real, deep) || (!p.exists && use != RISK_DELETES))
        return;
    if (!paths_room(x) ||
        (x->n_paths < EFFECTS_PATHS_MAX && !(p.path = strdup(clean)))) {
        l->no_room = true;
        return;
    }
    if (p.path)
        x->paths[x->n_paths++] = p;
    else
        x->more = true;
}
