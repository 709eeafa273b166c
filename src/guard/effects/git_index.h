/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_index.h - which files a git repository knows, read from its index.
 *
 * No git program is run: a repository's own configuration can make git run
 * anything. The index is untrusted like all of a repository; its layout is
 * described in git's Documentation, gitformat-index. Versions 2 to 4. */
#ifndef GUARD_GIT_INDEX_H
#define GUARD_GIT_INDEX_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"

#define GIT_INDEX_BYTES_MAX   (64 * 1024 * 1024) /* some 600,000 files */
#define GIT_INDEX_ENTRIES_MAX 1000000

struct git_index; /* the names that a repository knows, sorted */

/* Reads the index of the repository whose top directory is `top`; .git may be
 * a file that names another directory (a worktree, a submodule). No index at
 * all is an empty one. One that is split or sparse is not read. */
struct git_index *git_index_open(const char *top, struct err *e);
/* The same from bytes; hash_bytes is 20 (SHA-1) or 32 (SHA-256). */
struct git_index *git_index_parse(const void *bytes, size_t n,
                                  size_t hash_bytes, struct err *e);
void git_index_free(struct git_index *x);
DEFINE_CLEANUP(struct git_index, git_index_free)

/* How many files are known: the tests' and the fuzzer's view of it. */
size_t git_index_count(const struct git_index *x);
/* Whether a file is known: its path below the top, without "./". */
bool git_index_has(const struct git_index *x, const char *name);
/* Whether something below this directory is known. */
bool git_index_has_below(const struct git_index *x, const char *dir);

/* The top directory of the repository that `path`, absolute and clean, lies
 * strictly below: what deletes a repository's own top deletes what it knows.
 * The caller frees it; NULL: none. */
char *git_index_find_top(const char *path);

/* The directory that holds the index of a repository, its own or of a
 * worktree. The caller frees it; NULL: there is none. */
char *git_index_dir(const char *top);

#endif
