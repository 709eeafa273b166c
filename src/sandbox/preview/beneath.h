/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beneath.h - accesses files below a directory that others may be changing.
 *
 * Every path is relative to a descriptor of that directory, and openat2(2)
 * resolves it so that it cannot leave the directory: it follows no link, not
 * even one that leads back inside (but for beneath_follow), and no "..".
 * Functions without a struct err return -1 with errno. */
#ifndef SANDBOX_PREVIEW_BENEATH_H
#define SANDBOX_PREVIEW_BENEATH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/err.h"

/* Opens a path; "." is the directory itself. O_CLOEXEC is added to flags, and
 * O_NONBLOCK, so that nobody waits for a FIFO. ELOOP: a link is on the way. */
int beneath_open(int root, const char *path, int flags);

/* The same, but links that stay below the directory are followed. EXDEV: the
 * path leads out of it. */
int beneath_follow(int root, const char *path, int flags);

/* Opens the directory that holds path, as O_PATH; *name becomes the last part
 * of path. */
int beneath_parent(int root, const char *path, const char **name);

/* Like lstat(2). */
int beneath_stat(int root, const char *path, struct stat *st);

/* An entry that a walk visits. Valid during the callback. */
struct beneath_entry {
    int dir;          /* the directory that holds it */
    const char *name; /* in it */
    const char *path; /* below the root of the walk */
    struct stat st;
    int tag; /* what the callback returned for the directory that holds it */
};

/* Returns a tag of 0 or more for the entries of a directory, BENEATH_SKIP for a
 * directory that is not to be entered, or -1 with e set: the walk ends. */
typedef int beneath_cb(void *arg, const struct beneath_entry *x, struct err *e);
#define BENEATH_SKIP (-2)

/* Visits everything below the directory at path: each directory before its
 * entries, otherwise in no order. `tag` is that of the first entries. force: a
 * directory whose mode keeps us out gets u+rwx, for trees of our own. The walk
 * is not recursive, so depth does not matter. */
int beneath_walk(int root, const char *path, bool force, int tag,
                 beneath_cb *cb, void *arg, struct err *e);

/* Removes what is at path and everything below it; links are not followed. A
 * missing path is no error. */
int beneath_remove(int root, const char *path, struct err *e);

/* A growing list of paths. */
struct beneath_paths {
    char **v;
    size_t n, room;
};
int beneath_paths_add(struct beneath_paths *p, const char *dir,
                      const char *name, struct err *e);
void beneath_paths_done(struct beneath_paths *p);

#endif
