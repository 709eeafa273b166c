/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_count.c - counts what lies below a path. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "guard/effects/effects_scan.h"

#define DEPTH_MAX 64 /* directories open at once; deeper ones set `more` */

/* What lies at a path and, where that counts too, below it. */
struct file_tally {
    uint64_t files, bytes, untracked;
};

struct open_directory {
    DIR *dir;
    size_t path_len; /* length of this directory's path */
};

struct count_walk {
    struct effects_scan *scan;
    const struct git_index *index; /* NULL: no repository */
    struct file_tally *count;
    dev_t device;
    struct open_directory levels[DEPTH_MAX];
    size_t depth;
    char path[PATH_MAX];
};

/* The directory that a path lies in. */
static void
holding_dir(const char *path, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');

    snprintf(out, PATH_MAX, "%.*s",
             !slash || slash == path ? 1 : (int)(slash - path), path);
}

static void
open_repo(struct effects_scan *scan, const char *path)
{
    char *top = git_index_find_top(path);

    scan->in_repo = top != NULL;
    if (!top || (scan->top && strcmp(top, scan->top) == 0)) {
        free(top);
        return;
    }
    git_index_free(scan->index);
    free(scan->top);
    scan->top = top;
    scan->index = git_index_open(top, NULL);
}

const struct git_index *
effects_open_index(struct effects_scan *scan, const char *path)
{
    char dir[PATH_MAX];

    holding_dir(path, dir);
    if (strcmp(dir, scan->repo_dir) != 0) {
        open_repo(scan, path);
        memcpy(scan->repo_dir, dir, sizeof(dir));
    }
    return scan->in_repo ? scan->index : NULL;
}

static bool
push_directory(struct count_walk *w, int at, const char *name, size_t path_len)
{
    CLEANUP(fd_close_p)
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir;

    if (w->depth == DEPTH_MAX || fd < 0 || !(dir = fdopendir(fd))) {
        w->scan->limit.more = true; /* its contents are not known */
        return false;
    }
    TAKE_FD(fd);
    w->levels[w->depth++] = (struct open_directory){dir, path_len};
    return true;
}

static void
count_file(struct count_walk *w, const struct stat *st)
{
    size_t top = w->scan->top ? strlen(w->scan->top) : 0;

    w->count->files++;
    if (S_ISREG(st->st_mode))
        w->count->bytes += (uint64_t)st->st_size;
    if (w->index && strlen(w->path) > top &&
        !git_index_has(w->index, w->path + top + 1))
        w->count->untracked++;
}

static void
count_entry(struct count_walk *w, const char *name)
{
    struct open_directory *dir = &w->levels[w->depth - 1];
    int at = dirfd(dir->dir);
    struct stat st;
    int n;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return;
    n = snprintf(w->path + dir->path_len, sizeof(w->path) - dir->path_len,
                 "/%s", name);
    if (n < 0 || (size_t)n >= sizeof(w->path) - dir->path_len ||
        fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        w->scan->limit.more = true;
        return;
    }
    if (!S_ISDIR(st.st_mode))
        count_file(w, &st);
    else if (st.st_dev != w->device)
        w->scan->limit.more = true;
    else
        push_directory(w, at, name, dir->path_len + (size_t)n);
}

/* Counts a directory's files. Links are not followed, and other file systems
 * are not entered although rm would enter them: reading one may wake a server,
 * or wait for one that is gone. Both set `more`. */
static void
count_files_below(struct effects_scan *scan, const char *dir,
                  const struct git_index *index, struct file_tally *c)
{
    struct count_walk w = {.scan = scan, .index = index, .count = c};
    struct stat st;

    snprintf(w.path, sizeof(w.path), "%s", dir);
    if (lstat(dir, &st) < 0 || !push_directory(&w, AT_FDCWD, dir, strlen(dir)))
        return;
    w.device = st.st_dev;
    while (w.depth > 0) {
        struct open_directory *top = &w.levels[w.depth - 1];
        const struct dirent *d = glob_limit_take(&scan->limit)
                                     ? readdir(top->dir)
                                     : NULL;

        if (d) {
            count_entry(&w, d->d_name);
        } else {
            closedir(top->dir);
            w.depth--;
        }
    }
}

bool
effects_scan_resolve(struct effects_scan *scan, const char *path,
                     char out[PATH_MAX])
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
    holding_dir(plain, dir);
    if (strcmp(dir, scan->dir) != 0) {
        scan->dir[0] = '\0';
        if (!realpath(dir, scan->real_dir))
            return false;
        memcpy(scan->dir, dir, sizeof(dir));
    }
    len = snprintf(out, PATH_MAX, "%s/%s",
                   scan->real_dir[1] ? scan->real_dir : "", base);
    return len > 0 && len < PATH_MAX;
}

/* It is a repository, or the directory that holds one's history. */
static bool
holds_repository(const char *path)
{
    char git[PATH_MAX];
    struct stat st;

    if (strcmp(path_base(path), ".git") == 0)
        return true;
    return snprintf(git, sizeof(git), "%s/.git", path) < PATH_MAX &&
           lstat(git, &st) == 0;
}

/* False: this user cannot see what is there. */
static bool
measure_path(struct effects_scan *scan, struct effects_path *p,
             const char *real, bool deep)
{
    struct file_tally c = {0};
    const struct git_index *index = effects_open_index(scan, real);
    struct stat st;
    bool hidden;

    if (lstat(real, &st) < 0) {
        hidden = errno != ENOENT && errno != ENOTDIR;
        scan->out->unknown |= hidden;
        return !hidden;
    }
    p->exists = true;
    p->is_directory = S_ISDIR(st.st_mode);
    if (!p->is_directory) {
        c.files = 1;
        c.bytes = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
        c.untracked = index &&
                      !git_index_has(index, real + strlen(scan->top) + 1);
    } else if (deep) {
        count_files_below(scan, real, index, &c);
        p->repository = p->use == RISK_DELETES && holds_repository(real);
    }
    p->files = c.files;
    p->bytes = c.bytes;
    p->untracked = c.untracked > 0;
    scan->out->files += c.files;
    scan->out->bytes += c.bytes;
    scan->out->untracked += c.untracked;
    if (p->outside)
        scan->out->outside += c.files;
    return true;
}

static bool
is_path_counted(const struct effects *x, const char *path)
{
    for (size_t i = 0; i < x->n_paths; i++)
        if (strcmp(x->paths[i].path, path) == 0)
            return true;
    return false;
}

static bool
allocate_paths(struct effects *x)
{
    if (!x->paths)
        x->paths = calloc(EFFECTS_PATHS_MAX, sizeof(*x->paths));
    return x->paths != NULL;
}

/* Writing to a device or a FIFO destroys nothing. */
static bool
is_stream(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
           !S_ISDIR(st.st_mode) && !S_ISBLK(st.st_mode);
}

void
effects_scan_add(struct effects_scan *scan, const char *path, enum risk_use use,
                 bool deep)
{
    struct effects *x = scan->out;
    struct effects_path p = {.use = use};
    char clean[PATH_MAX], real[PATH_MAX];

    snprintf(clean, sizeof(clean), "%s", path);
    path_clean(clean);
    if (is_path_counted(x, clean) || (use == RISK_CHANGES && is_stream(clean)))
        return;
    if (!effects_scan_resolve(scan, path, real))
        snprintf(real, sizeof(real), "%s", clean);
    p.outside = scan->workspace[0] && !path_is_below(real, scan->workspace);
    if (!measure_path(scan, &p, real, deep) ||
        (!p.exists && use != RISK_DELETES))
        return;
    if (!allocate_paths(x) ||
        (x->n_paths < EFFECTS_PATHS_MAX && !(p.path = strdup(clean)))) {
        scan->no_room = true;
        return;
    }
    if (p.path)
        x->paths[x->n_paths++] = p;
    else
        x->more = true;
}
