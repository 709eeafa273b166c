/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_tree.h - which files of a workspace have names of secrets.
 *
 * For what runs there without a question: its walls close them, wherever they
 * lie, and whatever the command line says that it reads. Every directory is
 * looked at: what was found is remembered (secret_memory.h), so that a
 * directory that is as it was costs one stat. Not looked into: what git keeps
 * in .git and in a repository without a working tree, whose files are named
 * after branches and hashes, and the packages in a node_modules, which come
 * from strangers. Names are all that counts: a second name of a file (a hard
 * link) that says nothing is open. A link of such a name stands for the file
 * that it leads to. */
#ifndef GUARD_PATH_SECRET_TREE_H
#define GUARD_PATH_SECRET_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

/* Each costs a mount: 256 of them 6 ms. A test suite for certificates has
 * more, and then the step is asked about. */
#define SECRET_TREE_MAX      256
#define SECRET_TREE_DIRS_MAX 30000 /* half a second, when all of it is new */

struct secret_tree {
    /* absolute; files, and directories that can be entered and not be listed,
     * which are closed as a whole; NULL at the end */
    char *paths[SECRET_TREE_MAX + 1];
    size_t n;
    bool known; /* the paths are those of now */
};

/* Finds them below an absolute clean root, unless they are known, but for what
 * lies below one of the absolute paths that a person opened (NULL: none).
 * ERR_DENIED: there are too many files or directories, it is too deep, or it
 * cannot be read, and nobody can say what is secret there; the text says
 * which. */
int secret_tree_find(struct secret_tree *t, const char *root,
                     const char *const *opened, struct err *e);

/* Something ran that may have made files. */
void secret_tree_forget(struct secret_tree *t);
void secret_tree_done(struct secret_tree *t); /* accepts NULL */

#endif
