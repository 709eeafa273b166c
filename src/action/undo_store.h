/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_store.h - keeps the originals of what a step changes.
 *
 * A store is the directory undo/RUN of the state directory. Before step N,
 * `N.before` lists everything at and below the step's paths with what it needs
 * to be put back, and `N.d/K` has the bytes of the K-th entry where they are
 * not in the list (undo_keep.h); the list is complete and on the disk before it
 * gets its name, so that a step without one was not started. After the step
 * `N.after` lists the same paths again, with a hash of what changed: only what
 * still is as it says there is put back, the rest was changed since. A step
 * with a `before` and no `after`, whose store nobody has locked, was killed;
 * `.open-RUN` beside the store says that there may be one.
 *
 * Paths are absolute, without links in their directories, and are resolved
 * below / without following any link (beneath.h): one that was planted since
 * leads nowhere. */
#ifndef ACTION_UNDO_STORE_H
#define ACTION_UNDO_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/undo_keep.h"
#include "base/buf.h"
#include "base/seat.h"
#include "sandbox/preview/beneath.h"

#define UNDO_STEPS_MAX 256 /* of a run: of 8 plans of 32 steps */
/* Ends the name of a store: what a killed step left, before that was put
 * back. */
#define UNDO_LEFT "-left"

struct undo_store; /* of one run; open and locked */

/* Makes the store of a run, locked until it is freed. */
struct undo_store *undo_store_new(const struct seat *s, const char *run,
                                  struct err *e);
/* Opens one that exists. run NULL: the newest, but for what killed steps left
 * (UNDO_LEFT). ERR_NOT_FOUND: there is none; ERR_PERMISSION: its run goes on,
 * or somebody else may write it, so that nothing of it can be believed. */
struct undo_store *undo_store_open(const struct seat *s, const char *run,
                                   struct err *e);
void undo_store_free(struct undo_store *u); /* accepts NULL */
DEFINE_CLEANUP(struct undo_store, undo_store_free)

/* The name of the run; borrowed. */
const char *undo_store_run(const struct undo_store *u);

struct undo_wanted {
    const char *top;
    uint64_t budget_bytes;
    bool sync; /* it is to outlast a failure of the power */
};
/* Keeps what is at the paths and below, before step n; and the other names
 * below w->top (NULL: nowhere) of files that have several, which are added to
 * the paths. ERR_NOMEM: it is more than w->budget_bytes or UNDO_ENTRIES_MAX;
 * then nothing is kept. */
int undo_store_keep(struct undo_store *u, size_t n, struct undo_targets *t,
                    const struct undo_wanted *w, struct err *e);

/* How many steps were kept, those that were killed too; their numbers have no
 * gap. */
size_t undo_store_steps(const struct undo_store *u);

/* Whether undo_store_keep could do that now; keeps nothing. */
int undo_store_check(const struct seat *s, const struct undo_targets *t,
                     uint64_t budget_bytes, struct err *e);

/* Notes the id of the view in which a step runs now (view.h); NULL: none does.
 * The note of a step that was killed: "" where there is none. */
int undo_store_set_view(struct undo_store *u, const char *id, struct err *e);
void undo_store_view(const struct undo_store *u, char id[32]);

/* Notes that a step cannot be undone, and why. */
int undo_store_note_reason(struct undo_store *u, const char *command,
                           const char *why, struct err *e);
/* Appends these notes, a line each; nothing where there are none. */
int undo_store_reasons(struct undo_store *u, struct buf *out, struct err *e);

/* Notes what is there after step n, which has ended. Where that cannot be
 * listed, only what is at the paths of before is, with a reason
 * (undo_store_reasons); -1: not even that, so that what was changed since
 * cannot be told any more. */
int undo_store_note(struct undo_store *u, size_t n,
                    const struct undo_targets *t, struct err *e);

/* What is now at and below the paths of step n, which was killed. */
int undo_store_list_killed(struct undo_store *u, const struct undo_list *before,
                           struct undo_list *out, struct err *e);

/* The killed steps were dealt with: they count as ended. */
int undo_store_settle(struct undo_store *u, struct err *e);

/* The directory of the store, and that of all files; borrowed. */
int undo_store_dir(const struct undo_store *u);
int undo_store_root(const struct undo_store *u);

/* Around putting back: the files of the store get a second name in their
 * places, and lose the first one when what was put back is noted. On an error
 * nothing may be put back: nobody would look for it if that was killed. */
int undo_store_begin_undo(struct undo_store *u, struct err *e);
void undo_store_let_go(struct undo_store *u);

/* Whether a step of the run was killed, and nobody dealt with that. */
bool undo_store_is_killed(struct undo_store *u);

/* Appends the names of the runs that may have a step that was killed. */
int undo_store_list_open(const struct seat *s, struct beneath_paths *out,
                         struct err *e);

/* Whether a name ends with UNDO_LEFT. */
bool undo_name_is_left(const char *run);

/* Removes the oldest stores until all together have at most max_bytes, and are
 * 200 at most. It looks closer only where the last look says that it must. */
void undo_store_trim(const struct seat *s, uint64_t max_bytes);

#endif
