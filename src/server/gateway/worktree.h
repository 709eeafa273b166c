/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worktree.h - a working tree of a task's own, of git.
 *
 * Made beside the repository, in REPOSITORY.worktrees/TASK, on a new branch
 * agentsh/TASK; where that directory cannot be written, below the state
 * directory. The gateway commits nothing. A tree is removed only when git knows
 * all of it: nothing is changed, and no commit is on its branch alone. git runs
 * confined, without hooks, filters and other programs that a repository names.
 */
#ifndef SERVER_GATEWAY_WORKTREE_H
#define SERVER_GATEWAY_WORKTREE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"

struct worktree_job; /* git, while it runs */

/* Copied or used before a function returns, but for loop, seat and missing. */
struct worktree_setup {
    struct loop *loop;
    const struct seat *seat;
    struct config *config; /* held as long as it is used */
    const char *directory; /* absolute; of the repository, or of the tree */
    const char *missing;   /* why a tree may not be there, in a literal; NULL:
                              the system says why it is not */
};

/* Each callback is called once, from the loop; why NULL: it is done. */
typedef void worktree_made_cb(void *arg, const char *directory,
                              const char *base, const struct err *why);
typedef void worktree_diff_cb(void *arg, const struct buf *text, bool cut,
                              const struct err *why);
typedef void worktree_clean_cb(void *arg, bool kept, const char *reason,
                               const struct err *why);

/* Makes a tree of what the directory's repository has at HEAD. task: letters,
 * digits, "-" and "_". base becomes that commit. ERR_NOT_FOUND: the directory
 * is in no repository; ERR_TOOL: git's words. */
struct worktree_job *worktree_make(const struct worktree_setup *set,
                                   const char *task, worktree_made_cb *cb,
                                   void *arg, struct err *e);

/* Of the following, ERR_NOT_FOUND: the tree is not there, or is none. It is
 * looked for beside the loop. */

/* What the tree has that its base, a commit, has not: as text of git diff, new
 * files too, max bytes at most; cut: there is more. */
struct worktree_job *worktree_diff(const struct worktree_setup *set,
                                   const char *base, size_t max,
                                   worktree_diff_cb *cb, void *arg,
                                   struct err *e);

/* Removes the tree and its branch, or keeps both and says why. */
struct worktree_job *worktree_clean(const struct worktree_setup *set,
                                    worktree_clean_cb *cb, void *arg,
                                    struct err *e);

/* Ends it; its callback is not called. Accepts NULL. */
void worktree_job_free(struct worktree_job *j);

/* The directory with what the working trees of the directory's repository have
 * in common; the caller frees it. NULL: it is in no repository. */
char *worktree_common(const char *directory);

#endif
