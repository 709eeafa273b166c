/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_index.h - reads from its index which files a git repository tracks.
 *
 * No git program is run, because a repository's own configuration can make git
 * run anything. The index is untrusted, like everything in a repository. Its
 * layout, versions 2 to 4, is described in git's
 * Documentation/gitformat-index. */
#ifndef GUARD_EFFECTS_GIT_INDEX_H
#define GUARD_EFFECTS_GIT_INDEX_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"

#define GIT_INDEX_BYTES_MAX   (64 * 1024 * 1024) /* some 600,000 files */
#define GIT_INDEX_ENTRIES_MAX 1000000

struct git_index; /* the names of the tracked files, sorted */

/* Reads the index of the repository whose top directory is `top`. Its .git may
 * be a file that names another directory (a worktree, a submodule). A missing
 * index counts as an empty one; a split or sparse index is an error. */
struct git_index *git_index_open(const char *top, struct err *e);
/* Parses the bytes of an index; hash_bytes is 20 (SHA-1) or 32 (SHA-256). */
struct git_index *git_index_parse(const void *bytes, size_t n,
                                  size_t hash_bytes, struct err *e);
void git_index_free(struct git_index *x);
DEFINE_CLEANUP(struct git_index, git_index_free)

/* How many files are tracked; for the unit test and the fuzzer, which have no
 * other view of the whole. */
size_t git_index_count(const struct git_index *x);
/* Whether a file is tracked; name is its path below the top, without "./". */
bool git_index_has(const struct git_index *x, const char *name);
/* Whether any file below this directory is tracked. */
bool git_index_has_below(const struct git_index *x, const char *dir);

/* The top directory of the repository that `path`, absolute and clean, lies
 * strictly below: deleting a top also deletes the index. The caller frees it;
 * NULL: none. */
char *git_index_find_top(const char *path);

/* The directory that holds a repository's index, its own or a worktree's. The
 * caller frees it; NULL: none. */
char *git_index_dir(const char *top);

#endif
