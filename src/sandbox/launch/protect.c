/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect.c - what of a writable directory stays as it is. */
#include "sandbox/launch/protect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/protect_in.h"

#define ENTRIES_BYTES 4096 /* of a directory at a time; they are nested */
#define PATH_ROOM     64   /* for what is looked at below a directory */
#define PACKAGES      "node_modules"

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
        err_set(e, ERR_NOMEM, "%s: out of memory", name);
        return NULL;
    }
    snprintf(joined, n, "%s%s%s", path, *path ? "/" : "", name);
    return joined;
}

void *
protect_room(void *items, size_t n, size_t size, struct err *e)
{
    if (n == PROTECT_MAX) {
        err_set(e, ERR_SANDBOX, "more than %d protected paths", PROTECT_MAX);
        return NULL;
    }
    if (n & (n - 1)) /* there is room up to the next power of two */
        return items;
    items = realloc(items, (n ? 2 * n : 1) * size);
    if (!items)
        err_set(e, ERR_NOMEM, "protected paths: out of memory");
    return items;
}

int
protect_reopen(const struct protect *p, const char *path, int flags)
{
    struct open_how how = {
        .flags = (uint64_t)(flags | O_CLOEXEC | O_NOFOLLOW),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
    };

    return (int)syscall(SYS_openat2, p->dir, *path ? path : ".", &how,
                        sizeof(how));
}

static int
visit_some(const struct scan *s, struct place *at, const char *entries,
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

/* There may be many directories: to open each of them once more, as readdir(3)
 * wants, would be most of the work. */
int
protect_walk(const struct scan *s, struct place *at, visit_fn *visit,
             struct err *e)
{
    alignas(struct dirent64) char entries[ENTRIES_BYTES];
    ssize_t n;

    while ((n = getdents64(at->fd, (void *)entries, sizeof(entries))) > 0) {
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

void
protect_tell(const struct scan *s, const char *what, const char *path)
{
    if (s->told)
        s->told(s->arg, what, s->p->root, path);
}

const struct protect_repo *
protect_known(const struct protect *p, const struct stat *st)
{
    for (size_t i = 0; i < p->n_repos; i++) {
        if (p->repos[i].inode == st->st_ino && p->repos[i].dev == st->st_dev)
            return &p->repos[i];
    }
    return NULL;
}

int
protect_note(struct protect *p, const struct stat *st, unsigned had,
             struct err *e)
{
    struct protect_repo *repos = protect_room(p->repos, p->n_repos,
                                              sizeof(*repos), e);

    if (!repos)
        return -1;
    p->repos = repos;
    repos[p->n_repos++] = (struct protect_repo){st->st_dev, st->st_ino, had};
    return 0;
}

static int visit(const struct scan *s, struct place *at, struct err *e);

static int
visit_below(const struct scan *s, struct place *at, const char *name,
            struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, name);
    CLEANUP(free_p) char *path = NULL;
    struct place below = {.up = at, .depth = at->depth + 1};
    mode_t mode = 0;
    int rc;

    if (fd < 0 && errno == EACCES && s->after)
        fd = protect_force_open(s, at->fd, name, &mode);
    else if (fd < 0 && errno == EACCES)
        return protect_keep_closed(s, at, name, e);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return err_sys(e, "%s/%s", at->path, name);
    if (fd < 0) /* it is another thing by now */
        return 0;
    below.fd = fd;
    below.path = path = protect_below(at->path, name, e);
    rc = path ? visit(s, &below, e) : -1;
    if (mode)
        (void)fchmod(fd, mode);
    return rc;
}

static bool
is_directory(const struct dirent64 *entry)
{
    return entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
}

/* A repository with a working tree, or one that has none. */
static bool
may_be_repository(const struct place *at, const char *name)
{
    static const char *const marks[] = {GIT_DIR, "HEAD"};
    char path[NAME_MAX + sizeof("/" GIT_DIR)];

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        snprintf(path, sizeof(path), "%s/%s", name, marks[i]);
        if (protect_has(at->fd, path) || errno == EACCES)
            return true;
    }
    return false;
}

static int visit_packages(const struct scan *s, struct place *at,
                          struct err *e);

static int
visit_scope(const struct scan *s, struct place *at, const char *name,
            struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_open_dir(at->fd, name);
    CLEANUP(free_p) char *path = protect_below(at->path, name, e);
    struct place below = {.up = at, .fd = fd, .path = path, .depth = at->depth};

    if (!path)
        return -1;
    if (fd < 0)
        return protect_keep_closed(s, at, name, e);
    below.depth++;
    return visit_packages(s, &below, e);
}

static int
visit_package(const struct scan *s, struct place *at,
              const struct dirent64 *entry, struct err *e)
{
    const char *name = entry->d_name;

    if (strcmp(name, GIT_DIR) == 0)
        return protect_git(s, at, e);
    at->marks |= git_trusted_entry(name);
    if (!is_directory(entry))
        return 0;
    if (name[0] == '@')
        return visit_scope(s, at, name, e);
    return may_be_repository(at, name) ? visit_below(s, at, name, e) : 0;
}

/* Packages are not walked through: there are too many directories. One that
 * is a repository itself is found, and so is the directory that holds them; so
 * is one of a scope, @SCOPE/NAME. */
static int
visit_packages(const struct scan *s, struct place *at, struct err *e)
{
    if (protect_walk(s, at, visit_package, e) < 0)
        return -1;
    return git_trusted_is_repository(at->marks) ? protect_bare(s, at, e) : 0;
}

static int
visit_entry(const struct scan *s, struct place *at,
            const struct dirent64 *entry, struct err *e)
{
    const char *name = entry->d_name;

    if (strcmp(name, GIT_DIR) == 0)
        return protect_git(s, at, e);
    if (at->depth == 0 && s->p->policy && strcmp(name, PROTECT_POLICY) == 0)
        return 0; /* all of it is kept */
    at->marks |= git_trusted_entry(name);
    if (!is_directory(entry))
        return 0;
    if (at->depth >= PROTECT_DEPTH ||
        strlen(at->path) + strlen(name) + PATH_ROOM > PATH_MAX)
        return protect_keep(s, at, name, false, e);
    return visit_below(s, at, name, e);
}

/* Whether the directory holds packages, by its own name. */
static bool
holds_packages(const struct place *at)
{
    const char *slash = strrchr(at->path, '/');

    return strcmp(slash ? slash + 1 : at->path, PACKAGES) == 0;
}

static int
visit(const struct scan *s, struct place *at, struct err *e)
{
    if (holds_packages(at))
        return visit_packages(s, at, e);
    if (protect_walk(s, at, visit_entry, e) < 0)
        return -1;
    return git_trusted_is_repository(at->marks) ? protect_bare(s, at, e) : 0;
}

int
protect_open(struct protect *p, const char *root, const char *home,
             bool own_policy, struct err *e)
{
    struct scan s = {.p = p};
    struct place top = {.path = "", .pinned = true};

    *p = (struct protect){.root = strdup(root), .dir = -1, .home = home};
    if (!p->root)
        return err_nomem(e);
    if (clock_gettime(CLOCK_REALTIME_COARSE, &p->since) < 0)
        return err_sys(e, "clock");
    top.fd = p->dir = protect_open_dir(AT_FDCWD, root);
    if (p->dir < 0) /* a single writable file has nothing below it */
        return errno == ENOTDIR ? 0 : err_sys(e, "%s", root);
    p->policy = own_policy && protect_has(p->dir, PROTECT_POLICY);
    p->no_policy = own_policy && !p->policy;
    if (p->policy && protect_keep(&s, &top, PROTECT_POLICY, false, e) < 0)
        return -1;
    return protect_named_global(&s, e) < 0 ? -1 : visit(&s, &top, e);
}

static void
done(struct protect *p)
{
    fd_close_p(&p->dir);
    protect_copies_done(p);
    for (size_t i = 0; i < p->n_paths; i++)
        free(p->paths[i].path);
    for (size_t i = 0; i < p->n_absent; i++)
        free(p->absent[i]);
    for (size_t i = 0; i < p->n_named; i++)
        free(p->named[i].value);
    free(p->named);
    free(p->absent);
    free(p->paths);
    free(p->repos);
    free(p->root);
}

void
protect_close(struct protect *p, protect_told *told, void *arg)
{
    struct scan s = {p, true, told, arg};
    struct place top = {.path = "", .fd = p->dir, .pinned = true};

    if (p->loose)
        protect_restore(&s);
    protect_take_back(p);
    if (p->root && p->dir >= 0 && lseek(p->dir, 0, SEEK_SET) == 0) {
        if (visit(&s, &top, NULL) < 0) /* not all of it was looked at */
            protect_tell(&s, PROTECT_STAYS, "");
        protect_clean_absent(&s);
        if (p->no_policy && protect_has(p->dir, PROTECT_POLICY))
            protect_set_aside(&s, &top, PROTECT_POLICY);
    }
    done(p);
}
