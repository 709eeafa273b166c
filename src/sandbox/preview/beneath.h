/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beneath.h - files below a directory that somebody else may be changing.
 *
 * Every path is relative to a descriptor of that directory and is resolved by
 * openat2(2) so that it cannot leave it: no link in it is followed, not even
 * one that would lead back inside, and no "..". -1 with errno where no struct
 * err is taken. */
#ifndef SANDBOX_BENEATH_H
#define SANDBOX_BENEATH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/err.h"

/* Opens with flags (O_CLOEXEC is added, and O_NONBLOCK, so that a FIFO makes
 * nobody wait). "." is the directory itself. ELOOP: a link is in the way. */
int beneath_open(int root, const char *path, int flags);

/* The directory that holds path, as O_PATH; *name points to the last part. */
int beneath_parent(int root, const char *path, const char **name);

/* lstat(2). */
int beneath_stat(int root, const char *path, struct stat *st);

/* An entry that a walk comes upon. Valid during the callback. */
struct beneath_entry {
    int dir;          /* the directory that holds it */
    const char *name; /* in it */
    const char *path; /* from the top of the walk's root */
    struct stat st;
    int tag; /* what the callback returned for the directory that holds it */
};

/* Returns a tag for what is inside (0 or more), BENEATH_SKIP for a directory
 * that is not to be entered, or -1: the walk ends, e is set. */
typedef int beneath_cb(void *arg, const struct beneath_entry *x, struct err *e);
#define BENEATH_SKIP (-2)

/* Visits everything below the directory at path, each directory before what
 * is in it, in no other order; `tag` is that of its own entries. With force a
 * directory whose mode keeps us out gets u+rwx: for trees of our own. Not
 * recursive, so no depth hurts. */
int beneath_walk(int root, const char *path, bool force, int tag,
                 beneath_cb *cb, void *arg, struct err *e);

/* Removes what is at path and everything below it, links as links. What is
 * not there is fine. */
int beneath_remove(int root, const char *path, struct err *e);

/* Paths that grow. */
struct beneath_paths {
    char **v;
    size_t n, room;
};
int beneath_paths_add(struct beneath_paths *p, const char *dir,
                      const char *name, struct err *e);
void beneath_paths_done(struct beneath_paths *p);

#endif
