/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect.c - what of a writable directory stays as it is. */
#include "sandbox/launch/protect.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define POLICY       ".agentsh"
#define POLICY_TRIES 8           /* against others that take theirs away */
#define COMMONDIR    "commondir" /* gitrepository-layout(5) */

/* One walk: before the command, or after it. */
struct scan {
    struct protect *p;
    bool after;
    protect_told *told;
    void *arg;
};

/* A directory on the way down. */
struct place {
    int fd;
    const char *path; /* below the root; "" for the root itself */
    int depth;
};

typedef int visit_fn(const struct scan *s, const struct place *at,
                     const struct dirent *entry, struct err *e);

static int
open_dir(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The caller frees it. */
static char *
below(const char *path, const char *name, struct err *e)
{
    size_t n = strlen(path) + strlen(name) + 2;
    char *joined = malloc(n);

    if (!joined) {
        err_set(e, ERR_NOMEM, "%s: no memory", name);
        return NULL;
    }
    snprintf(joined, n, "%s%s%s", path, *path ? "/" : "", name);
    return joined;
}

/* Room for one more of n items. */
static void *
grown(void *items, size_t n, size_t size, struct err *e)
{
    if (n == PROTECT_MAX) {
        err_set(e, ERR_SANDBOX, "more than %d protected paths", PROTECT_MAX);
        return NULL;
    }
    if (n & (n - 1)) /* there is room up to the next power of two */
        return items;
    items = realloc(items, (n ? 2 * n : 1) * size);
    if (!items)
        err_set(e, ERR_NOMEM, "protected paths: no memory");
    return items;
}

/* Takes path. */
static int
add_path(struct protect *p, char *path, bool writable, struct err *e)
{
    struct protect_path *paths = grown(p->paths, p->n_paths, sizeof(*paths), e);

    if (paths)
        p->paths = paths;
    if (!paths || !path) {
        free(path);
        return -1;
    }
    paths[p->n_paths++] = (struct protect_path){path, writable};
    return 0;
}

/* Where a link of the root's leads to, when that is below the root as well.
 * The caller frees it. */
static char *
link_target(const struct protect *p, const char *path)
{
    CLEANUP(free_p) char *whole = below(p->root, path, NULL);
    CLEANUP(free_p) char *real = NULL;
    size_t n = strlen(p->root);
    struct stat st;

    if (!whole || lstat(whole, &st) < 0 || !S_ISLNK(st.st_mode))
        return NULL;
    real = realpath(whole, NULL);
    if (!real || strncmp(real, p->root, n) != 0 || real[n] != '/')
        return NULL;
    return strdup(real + n + 1);
}

static int
keep(const struct scan *s, const char *dir, const char *name, bool writable,
     struct err *e)
{
    char *path, *target;

    if (s->after)
        return 0;
    path = below(dir, name, e);
    target = path ? link_target(s->p, path) : NULL;
    if (add_path(s->p, path, writable, e) < 0) {
        free(target);
        return -1;
    }
    return target ? add_path(s->p, target, false, e) : 0;
}

/* Calls visit for each entry but "." and "..". What cannot be read is passed
 * over: the command cannot read it either. */
static int
walk(const struct scan *s, const struct place *at, visit_fn *visit,
     struct err *e)
{
    int fd = open_dir(at->fd, ".");
    CLEANUP(dir_close_p) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (!dir) {
        fd_close_p(&fd);
        return 0;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 && visit(s, at, entry, e) < 0)
            return -1;
    }
    return 0;
}

static bool
has(int dir, const char *name)
{
    return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void
tell(const struct scan *s, const char *what, const char *path)
{
    if (s->told)
        s->told(s->arg, what, s->p->root, path);
}

static const struct protect_repo *
known(const struct protect *p, ino_t inode)
{
    for (size_t i = 0; i < p->n_repos; i++) {
        if (p->repos[i].inode == inode)
            return &p->repos[i];
    }
    return NULL;
}

/* A `.git` after the command: an old one has no new commondir, by which git
 * would read another configuration. */
static int
check(const struct scan *s, int fd, ino_t inode, const char *path)
{
    const struct protect_repo *repo = known(s->p, inode);

    if (!repo)
        tell(s, "new repository", path);
    else if (!repo->shared && fd >= 0 && unlinkat(fd, COMMONDIR, 0) == 0)
        tell(s, "removed " COMMONDIR, path);
    return 0;
}

/* fd: the directory, or -1 for a `.git` that is a file. */
static int
note(const struct scan *s, int fd, const struct stat *st, const char *path,
     struct err *e)
{
    struct protect_repo *repos;

    if (s->after)
        return check(s, fd, st->st_ino, path);
    repos = grown(s->p->repos, s->p->n_repos, sizeof(*repos), e);
    if (!repos)
        return -1;
    s->p->repos = repos;
    repos[s->p->n_repos++] = (struct protect_repo){
        .inode = st->st_ino,
        .shared = fd >= 0 && has(fd, COMMONDIR),
    };
    return 0;
}

/* One that is missing is made: empty, they mean nothing to git. */
static int
keep_made(const struct scan *s, const struct place *git, const char *name,
          bool directory, struct err *e)
{
    int fd = -1;

    if (s->after)
        return 0;
    if (!has(git->fd, name) && directory)
        (void)mkdirat(git->fd, name, 0777);
    else if (!has(git->fd, name))
        fd = openat(git->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    0666);
    fd_close_p(&fd);
    /* where we cannot make it, the command cannot */
    return has(git->fd, name) ? keep(s, git->path, name, false, e) : 0;
}

static int
keep_config(const struct scan *s, const struct place *git, struct err *e)
{
    if (keep_made(s, git, "hooks", true, e) < 0 ||
        keep_made(s, git, "config", false, e) < 0)
        return -1;
    if (has(git->fd, "config.worktree"))
        return keep(s, git->path, "config.worktree", false, e);
    return 0;
}

static int keep_inner(const struct scan *s, const struct place *git,
                      const char *name, struct err *e);

/* What a submodule or a linked working tree lives in: .git/modules/NAME,
 * .git/worktrees/NAME; NAME may have parts. */
static int
visit_module(const struct scan *s, const struct place *at,
             const struct dirent *entry, struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_dir(at->fd, entry->d_name);
    CLEANUP(free_p) char *path = below(at->path, entry->d_name, e);
    struct place in = {fd, path, at->depth + 1};
    struct stat st;

    if (!path)
        return -1;
    if (fd < 0 || at->depth >= PROTECT_DEPTH || fstat(fd, &st) < 0)
        return 0;
    if (keep(s, at->path, entry->d_name, true, e) < 0)
        return -1;
    if (!has(fd, "HEAD"))
        return walk(s, &in, visit_module, e);
    if (note(s, fd, &st, path, e) < 0)
        return -1;
    if (has(fd, COMMONDIR))
        return keep(s, path, COMMONDIR, false, e);
    return keep_config(s, &in, e) < 0 ? -1 : keep_inner(s, &in, "modules", e);
}

static int
keep_inner(const struct scan *s, const struct place *git, const char *name,
           struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_dir(git->fd, name);
    CLEANUP(free_p) char *path = NULL;

    if (fd < 0)
        return 0;
    path = below(git->path, name, e);
    if (!path || keep(s, git->path, name, true, e) < 0)
        return -1;
    return walk(s, &(struct place){fd, path, 0}, visit_module, e);
}

/* `.git` of a directory: a repository, or a file that says where it is. */
static int
keep_git(const struct scan *s, const struct place *at, struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_dir(at->fd, ".git");
    CLEANUP(free_p) char *path = below(at->path, ".git", e);
    struct place git = {fd, path, at->depth};
    struct stat st;

    if (!path)
        return -1;
    if (fstatat(at->fd, ".git", &st, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (note(s, fd, &st, path, e) < 0 ||
        keep(s, at->path, ".git", fd >= 0, e) < 0)
        return -1;
    if (fd < 0)
        return 0;
    if (keep_config(s, &git, e) < 0 || keep_inner(s, &git, "modules", e) < 0)
        return -1;
    return keep_inner(s, &git, "worktrees", e);
}

static int
visit_entry(const struct scan *s, const struct place *at,
            const struct dirent *entry, struct err *e)
{
    CLEANUP(free_p) char *path = NULL;
    CLEANUP(fd_close_p) int fd = -1;

    if (strcmp(entry->d_name, ".git") == 0)
        return keep_git(s, at, e);
    if ((entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) ||
        at->depth >= PROTECT_DEPTH ||
        strcmp(entry->d_name, "node_modules") == 0)
        return 0;
    fd = open_dir(at->fd, entry->d_name);
    if (fd < 0)
        return 0;
    path = below(at->path, entry->d_name, e);
    if (!path)
        return -1;
    return walk(s, &(struct place){fd, path, at->depth + 1}, visit_entry, e);
}

/* Another launcher may take away the one that it made: who holds the lock of
 * one that is still there relies on it, and it stays. */
static int
lock_policy(struct protect *p, int root, struct err *e)
{
    for (int i = 0; i < POLICY_TRIES; i++) {
        bool made = mkdirat(root, POLICY, 0777) == 0;
        int fd = open_dir(root, POLICY);
        struct stat st;

        if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0 &&
            fstat(fd, &st) == 0 && st.st_nlink > 0) {
            p->policy = fd;
            p->policy_made = made;
            return 0;
        }
        fd_close_p(&fd);
        if (fd < 0 && errno != ENOENT) /* a file, or not for us to read */
            return 0;
    }
    return err_set(e, ERR_SANDBOX, "%s/%s does not stay", p->root, POLICY);
}

int
protect_open(struct protect *p, const char *root, bool own_policy,
             struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_dir(AT_FDCWD, root);
    struct scan s = {.p = p};

    *p = (struct protect){.root = strdup(root), .policy = -1};
    if (!p->root)
        return err_set(e, ERR_NOMEM, "no memory");
    if (fd < 0) /* a single writable file has nothing below it */
        return errno == ENOTDIR ? 0 : err_sys(e, "%s", root);
    if (own_policy && lock_policy(p, fd, e) < 0)
        return -1;
    if (own_policy && has(fd, POLICY) && keep(&s, "", POLICY, false, e) < 0)
        return -1;
    return walk(&s, &(struct place){fd, "", 0}, visit_entry, e);
}

static void
done(struct protect *p)
{
    fd_close_p(&p->policy);
    for (size_t i = 0; i < p->n_paths; i++)
        free(p->paths[i].path);
    free(p->paths);
    free(p->repos);
    free(p->root);
}

void
protect_close(struct protect *p, protect_told *told, void *arg)
{
    CLEANUP(fd_close_p) int fd = p->root ? open_dir(AT_FDCWD, p->root) : -1;
    struct scan s = {p, true, told, arg};

    if (fd >= 0 && (told || p->n_repos > 0))
        (void)walk(&s, &(struct place){fd, "", 0}, visit_entry, NULL);
    /* one that holds something, or that another relies on, stays */
    if (fd >= 0 && p->policy_made && flock(p->policy, LOCK_EX | LOCK_NB) == 0)
        (void)unlinkat(fd, POLICY, AT_REMOVEDIR);
    done(p);
}
