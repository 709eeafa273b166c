/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_file_op.h - one file operation: judged, done, recorded.
 *
 * It is judged as the tool that does the same would be (tool/permit.h), by the
 * path as it is spelled and by the one that it leads to. */
#ifndef SERVER_SPACES_SPACES_FILE_OP_H
#define SERVER_SPACES_SPACES_FILE_OP_H

#include <stdatomic.h>

#include "base/sha256.h"
#include "server/spaces/spaces_event.h"

struct spaces_shared;

struct spaces_file_op {
    const struct spaces_shared *shared;
    const struct spaces_op *op;
    const struct tool *tool;
    const char *action;
    int found; /* what a path that is read leads to, + 1; 0: none */
    struct permit permit;
    bool changed;   /* it is not what was approved: nothing was done */
    size_t content; /* bytes that the event brings */
    size_t bytes;   /* that were written */
    int64_t from_ms;
    struct err why; /* why it failed */
};

/* Judges it: see f->permit. op is borrowed as long as f. Fails where it would
 * lead out of the workspace, what it reads is not there, or what it creates is;
 * the text is for the agent. f is all zero before, and needs
 * spaces_file_op_done in any case. */
int spaces_file_op_judge(struct spaces_file_op *f,
                         const struct spaces_shared *sh,
                         const struct spaces_op *op, struct err *e);
void spaces_file_op_done(struct spaces_file_op *f); /* accepts NULL */

/* These two may run in a thread. The digest of what an approval covers. */
int spaces_file_op_digest(const struct spaces_file_op *f,
                          char hex[SHA256_HEX_SIZE], struct err *e);

/* Does it, and appends its event, of at most `room` bytes and a few. approved:
 * the digest that a yes was given for; where it is another now, f->changed is
 * set and nothing is done. NULL: no yes was needed. */
void spaces_file_op_run(struct spaces_file_op *f, const char *approved,
                        struct buf *events, size_t room,
                        const atomic_bool *unwanted);

/* Writes it to the journal. yes: who agreed, or NULL. */
void spaces_file_op_record(const struct spaces_file_op *f, const char *yes);

#endif
