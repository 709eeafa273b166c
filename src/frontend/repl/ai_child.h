/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ai_child.h - run `ai` as a child process on the terminal.
 *
 * The child gets the working directory and the exported variables of bash, so
 * what was set at the prompt holds for it too. */
#ifndef FRONTEND_REPL_AI_CHILD_H
#define FRONTEND_REPL_AI_CHILD_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"
#include "model/warm_process.h"

struct ai_child;

/* Is called once, when the child has ended. */
typedef void ai_child_done(void *arg, int status);

struct ai_child_start {
    const char *line;
    const char *cwd;
    const char *session;
    const struct buf *environ; /* NAME=value fields; NULL: our own */
    struct warm_process *warm; /* is lent to the child, and needs environ; NULL:
                                  none. Borrowed until the child is freed */
};

/* Starts the child. Returns NULL with e set when that fails. `start` is
 * borrowed for the call. */
struct ai_child *ai_child_new(struct loop *l,
                              const struct ai_child_start *start,
                              ai_child_done *done, void *arg, struct err *e);
void ai_child_free(struct ai_child *a); /* kills the child if it still runs */
DEFINE_CLEANUP(struct ai_child, ai_child_free)

/* The environment of a child of the REPL's: pointers into the fields, with the
 * session's name in place of what the shell has (a hook of its own may have set
 * another), and room for AI_CHILD_MORE more. The caller frees the array. NULL:
 * no memory. */
#define AI_CHILD_MORE 4
const char **ai_child_environ(const struct buf *fields, const char *session);

/* Returns the path of the program `ai`, which the caller frees; NULL when it is
 * not installed. */
char *ai_child_path(void);

#endif
