/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_record.h - what the steps of a run changed by tools, in its store.
 *
 * Before the K-th of them, `K.state` has what the tool told of how it was;
 * after it `K.changes` has what differs, and the other is gone. A `K.state`
 * that stays is of a step that was killed, or of which nobody knows how it
 * ended: then whatever differs now is taken for its work, and that is said. */
#ifndef ACTION_UNDO_RECORD_H
#define ACTION_UNDO_RECORD_H

#include "action/undo_call.h"
#include "action/undo_store.h"
#include "json/write.h"

/* Keeps the state before the k-th step, on the disk. */
int undo_record_keep(struct undo_store *u, size_t k, const struct undo_call *c,
                     const char *command, const struct json *state,
                     struct err *e);
/* Notes what it changed, once. */
int undo_record_note(struct undo_store *u, size_t k, const struct json *after,
                     struct err *e);

/* How many the run has; their numbers have no gap. */
size_t undo_record_count(const struct undo_store *u);

struct undo_record {
    const char *tool, *command; /* borrowed from it */
    const struct json *of;      /* the arguments of the step's call */
    const struct json *changes; /* a list of name, before, after; NULL: the end
                                   of the step is not known */
    const struct json *state;   /* then: how it was */
    struct json *root;
};

/* ERR_NOT_FOUND: the run has no k-th. Otherwise undo_record_done is due. */
int undo_record_read(const struct undo_store *u, size_t k,
                     struct undo_record *out, struct err *e);
void undo_record_done(struct undo_record *r); /* accepts NULL */

/* Writes the list of what differs in the members of two objects of texts. */
void undo_record_put_changes(struct json_writer *w, const struct json *before,
                             const struct json *after);

#endif
