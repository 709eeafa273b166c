/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_tree.h - finds the files of a workspace that have secrets' names.
 *
 * When a step runs without a question, the sandbox hides these files, wherever
 * they lie and whatever the line reads. Every directory is checked; the result
 * is cached (secret_cache.h), so that an unchanged directory costs one stat.
 * Two kinds of directories are skipped: .git and bare repositories, whose files
 * are named after branches and hashes, and the packages in node_modules, which
 * come from strangers. Only names count: a hard link with a harmless name stays
 * visible. A symbolic link with such a name stands for the file that it leads
 * to. */
#ifndef GUARD_PATH_SECRET_TREE_H
#define GUARD_PATH_SECRET_TREE_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/seat.h"

/* Each path costs a mount: 256 of them take 6 ms. A test suite for certificates
 * has more, and then the step is asked about. */
#define SECRET_TREE_MAX      256
#define SECRET_TREE_DIRS_MAX 30000 /* half a second without a cache */

struct secret_tree {
    /* absolute; files, and directories that can be entered but not listed,
     * which are hidden as a whole; NULL at the end */
    char *paths[SECRET_TREE_MAX + 1];
    size_t n;
    bool known;                  /* the paths are up to date */
    const atomic_bool *unwanted; /* worker_is_unwanted: ERR_INTERRUPTED */
};

/* Finds them below an absolute clean root, unless they are known. Paths below
 * one of `opened`, which the person named (NULL: none), are left out. The cache
 * is in the state directory of the seat; NULL: there is none.
 * ERR_DENIED: there are too many files or directories, the tree is too deep, or
 * it cannot be read, so nobody can say what is secret in it; the text says
 * which. */
int secret_tree_find(struct secret_tree *t, const char *root,
                     const char *const *opened, const struct seat *s,
                     struct err *e);

/* Marks the paths as out of date: something ran that may have created files. */
void secret_tree_forget(struct secret_tree *t);
void secret_tree_done(struct secret_tree *t); /* accepts NULL */

#endif
