/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_run.h - keeps the originals of the steps of one run. */
#ifndef ACTION_UNDO_RUN_H
#define ACTION_UNDO_RUN_H

#include "action/step_verdict.h"
#include "action/undo_call.h"
#include "base/buf.h"
#include "sandbox/preview/view.h"

struct undo_run;

/* The store is made at the first step that changes files. run is the name in
 * the journal, copied; the seat is borrowed. ERR_NOMEM. */
struct undo_run *undo_run_new(const struct seat *s, const char *run,
                              uint64_t max_bytes, struct err *e);
void undo_run_free(struct undo_run *u); /* accepts NULL */
DEFINE_CLEANUP(struct undo_run, undo_run_free)

const char *undo_run_name(const struct undo_run *u); /* as it was given */

/* Keeps what the step may change, if that is known; reads and writes files
 * only, so that a thread may call it. -1: it could not be kept, and the step
 * must not run. Accepts NULL, as undo_run_end does. */
int undo_run_begin(struct undo_run *u, const struct step *s,
                   const struct step_verdict *v, struct err *e);

/* Before such a step of UNDO_WAY_TOOL or UNDO_WAY_VERSIONS begins, and before
 * it ends: what its tool told, copied; meta NULL: nothing, and why. Without one
 * the step cannot begin; its end is then not known. Accepts NULL. */
int undo_run_take_state(struct undo_run *u, const struct json *meta,
                        const struct err *why, struct err *e);
bool undo_run_needs_state(const struct undo_run *u,
                          const struct step_verdict *v);

/* The view in which the step that began runs; NULL: in none. Borrowed. */
const struct view *undo_run_view(const struct undo_run *u);

#define UNDO_LEFT_MAX 65536 /* bytes of a sentence with a few paths */

/* The step that began has ended, in whatever way, and nothing of it runs: lists
 * what is there now, which reads what has changed. The view of a step is
 * applied first; left receives in words what of it was not; -1: nothing was,
 * and why. Then no step is open. left may be NULL. */
int undo_run_end(struct undo_run *u, struct buf *left, struct err *e);
bool undo_run_is_open(const struct undo_run *u);

#endif
