/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect.c - what of a writable directory stays as it is. */
#include "sandbox/launch/protect.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/protect_in.h"

#define ENTRIES_BYTES 4096 /* of a directory at a time; they are nested */

int
protect_open_dir(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The caller frees it. */
char *
protect_below(const char *path, const char *name, struct err *e)
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
    CLEANUP(free_p) char *whole = protect_below(p->root, path, NULL);
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

int
protect_keep(const struct scan *s, const char *dir, const char *name,
             bool writable, struct err *e)
{
    char *path, *target;

    if (s->after)
        return 0;
    path = protect_below(dir, name, e);
    target = path ? link_target(s->p, path) : NULL;
    if (add_path(s->p, path, writable, e) < 0) {
        free(target);
        return -1;
    }
    return target ? add_path(s->p, target, false, e) : 0;
}

static int
visit_some(const struct scan *s, const struct place *at, const char *entries,
           size_t n, visit_fn *visit, struct err *e)
{
    const struct dirent64 *entry;

    for (size_t i = 0; i < n; i += entry->d_reclen) {
        entry = (const struct dirent64 *)(const void *)(entries + i);
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 && visit(s, at, entry, e) < 0)
            return -1;
    }
    return 0;
}

/* Calls visit for each entry but "." and "..". What cannot be read is passed
 * over: the command cannot read it either. There may be many directories: to
 * open each of them once more, as readdir(3) wants, would be most of the
 * work. */
int
protect_walk(const struct scan *s, const struct place *at, visit_fn *visit,
             struct err *e)
{
    alignas(struct dirent64) char entries[ENTRIES_BYTES];
    ssize_t n;

    if (lseek(at->fd, 0, SEEK_SET) < 0)
        return 0;
    while ((n = getdents64(at->fd, entries, sizeof(entries))) > 0) {
        if (visit_some(s, at, entries, (size_t)n, visit, e) < 0)
            return -1;
    }
    return 0;
}

bool
protect_has(int dir, const char *name)
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
int
protect_note(const struct scan *s, int fd, const struct stat *st,
             const char *path, struct err *e)
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
        .shared = fd >= 0 && protect_has(fd, COMMONDIR),
    };
    return 0;
}

static int visit(const struct scan *s, const struct place *at, struct err *e);

static int
visit_entry(const struct scan *s, const struct place *at,
            const struct dirent64 *entry, struct err *e)
{
    CLEANUP(free_p) char *path = NULL;
    CLEANUP(fd_close_p) int fd = -1;

    if (strcmp(entry->d_name, ".git") == 0)
        return protect_git(s, at, e);
    if (at->depth == 0 && s->p->policy >= 0 &&
        strcmp(entry->d_name, PROTECT_POLICY) == 0)
        return 0; /* all of it is kept */
    if ((entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) ||
        at->depth >= PROTECT_DEPTH ||
        strcmp(entry->d_name, "node_modules") == 0)
        return 0;
    fd = protect_open_dir(at->fd, entry->d_name);
    if (fd < 0)
        return 0;
    path = protect_below(at->path, entry->d_name, e);
    if (!path)
        return -1;
    return visit(s, &(struct place){fd, path, at->depth + 1}, e);
}

static int
visit(const struct scan *s, const struct place *at, struct err *e)
{
    if (protect_bare(s, at, e) < 0)
        return -1;
    return protect_walk(s, at, visit_entry, e);
}

int
protect_open(struct protect *p, const char *root, bool own_policy,
             struct err *e)
{
    struct scan s = {.p = p};
    int fd;

    *p = (struct protect){.root = strdup(root), .dir = -1, .policy = -1};
    if (!p->root)
        return err_set(e, ERR_NOMEM, "no memory");
    fd = p->dir = protect_open_dir(AT_FDCWD, root);
    if (fd < 0) /* a single writable file has nothing below it */
        return errno == ENOTDIR ? 0 : err_sys(e, "%s", root);
    if (own_policy && protect_lock_policy(p, e) < 0)
        return -1;
    if (own_policy && protect_has(fd, PROTECT_POLICY) &&
        protect_keep(&s, "", PROTECT_POLICY, false, e) < 0)
        return -1;
    return visit(&s, &(struct place){fd, "", 0}, e);
}

static void
done(struct protect *p)
{
    fd_close_p(&p->policy);
    fd_close_p(&p->dir);
    for (size_t i = 0; i < p->n_paths; i++)
        free(p->paths[i].path);
    free(p->paths);
    free(p->repos);
    free(p->root);
}

void
protect_close(struct protect *p, protect_told *told, void *arg, int heir)
{
    struct scan s = {p, true, told, arg};
    bool opened = p->root && p->dir >= 0;

    if (opened && (told || p->n_repos > 0))
        (void)visit(&s, &(struct place){p->dir, "", 0}, NULL);
    if (opened && p->policy_made && !protect_bequeath(p, heir))
        protect_drop_policy(p->dir, p->policy);
    done(p);
}
