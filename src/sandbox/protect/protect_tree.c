/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_tree.c - helpers for the files protect*.c: opening, walking,
 * remembering. */
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/protect/protect_internal.h"

/* Bytes of entries read at a time; one buffer for each level of directories. */
#define ENTRIES_BYTES 4096

int
protect_open_dir(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The caller frees it. */
char *
protect_join(const char *path, const char *name, struct err *e)
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
protect_grow(void *items, size_t n, size_t size, struct err *e)
{
    if (n == PROTECT_MAX) {
        err_set(e, ERR_SANDBOX, "more than %d protected paths", PROTECT_MAX);
        return NULL;
    }
    if (n & (n - 1)) /* the array has room up to the next power of two */
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
visit_some(const struct protect_scan *s, struct protect_place *at,
           const char *entries, size_t n, protect_visit_fn *visit,
           struct err *e)
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

/* Uses getdents64(2): with many directories, opening each once more for
 * readdir(3) would be most of the work. */
int
protect_walk(const struct protect_scan *s, struct protect_place *at,
             protect_visit_fn *visit, struct err *e)
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
protect_exists(int dir, const char *name)
{
    return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void
protect_report(const struct protect_scan *s, const char *what, const char *path)
{
    if (s->report)
        s->report(s->arg, what, s->p->root, path);
}

const struct protect_repo *
protect_find_repo(const struct protect *p, const struct stat *st)
{
    for (size_t i = 0; i < p->n_repos; i++) {
        if (p->repos[i].inode == st->st_ino && p->repos[i].dev == st->st_dev)
            return &p->repos[i];
    }
    return NULL;
}

int
protect_remember(struct protect *p, const struct stat *st, unsigned had,
                 struct err *e)
{
    struct protect_repo *repos = protect_grow(p->repos, p->n_repos,
                                              sizeof(*repos), e);

    if (!repos)
        return -1;
    p->repos = repos;
    repos[p->n_repos++] = (struct protect_repo){st->st_dev, st->st_ino, had};
    return 0;
}
