/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assistant.h - a line for the assistant: `ai` as a child on the terminal.
 *
 * It runs where the shell is and with what the shell exports, so that what
 * was set at the prompt holds for it too. */
#ifndef REPL_ASSISTANT_H
#define REPL_ASSISTANT_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"

struct assistant;

/* It has ended, with its status. */
typedef void assistant_done(void *arg, int status);

struct assistant_start {
    const char *line;
    const char *cwd;
    const char *session;
    const struct buf *environ; /* NAME=value fields; NULL: our own */
};

struct assistant *assistant_new(struct loop *l,
                                const struct assistant_start *start,
                                assistant_done *done, void *arg, struct err *e);
void assistant_free(struct assistant *a); /* kills it if it runs */
DEFINE_CLEANUP(struct assistant, assistant_free)

/* Where the assistant's program is; the caller frees it. NULL: nowhere. */
char *assistant_path(void);

#endif
