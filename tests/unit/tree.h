/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - a directory of a test's own, with files. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
    char top[64]; /* absolute, without links in it */
};

static inline const char *
tree_path(const struct tree *t, const char *name, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s%s%s", t->top, name[0] ? "/" : "", name);
    return out;
}

static inline int
tree_dir(const struct tree *t, const char *name)
{
    char path[PATH_MAX];

    return mkdir(tree_path(t, name, path), 0700);
}

/* A file of n bytes; the directory is there. */
static inline int
tree_file(const struct tree *t, const char *name, size_t n)
{
    char path[PATH_MAX];
    int fd = open(tree_path(t, name, path),
                  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    int rc = fd < 0 ? -1 : ftruncate(fd, (off_t)n);

    if (fd >= 0)
        close(fd);
    return rc;
}

static inline int
tree_text(const struct tree *t, const char *name, const char *text)
{
    char path[PATH_MAX];
    int fd = open(tree_path(t, name, path),
                  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    size_t n = strlen(text);
    int rc = fd >= 0 && write(fd, text, n) == (ssize_t)n ? 0 : -1;

    if (fd >= 0)
        close(fd);
    return rc;
}

static inline int
tree_link(const struct tree *t, const char *to, const char *name)
{
    char path[PATH_MAX];

    return symlink(to, tree_path(t, name, path));
}

static inline int
tree_make(struct tree *t)
{
    char template[] = "/var/tmp/agentsh-test-XXXXXX";
    char real[PATH_MAX];

    if (!mkdtemp(template) || !realpath(template, real) ||
        strlen(real) >= sizeof(t->top))
        return -1;
    snprintf(t->top, sizeof(t->top), "%.63s", real);
    return 0;
}

static inline int
tree_remove_one(const char *path, const struct stat *st, int kind,
                struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void
tree_drop(const struct tree *t)
{
    nftw(t->top, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

#endif
