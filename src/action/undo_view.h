/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_view.h - runs a step that may write what nobody knows in a copy-on-write
 * view, and applies that at its end.
 *
 * What is replaced then is what is kept. Until then the workspace is as it was,
 * so that a step that is killed is taken back by dropping its view. */
#ifndef ACTION_UNDO_VIEW_H
#define ACTION_UNDO_VIEW_H

#include "action/undo_store.h"
#include "base/buf.h"
#include "sandbox/preview/view.h"

/* Whether a view of the workspace can be made and mounted here, which is tried;
 * ERR_SANDBOX: why not. */
int undo_view_try(const struct seat *s, const char *workspace, struct err *e);

/* Makes the view of a step and notes it in the store. */
struct view *undo_view_open(struct undo_store *u, const struct seat *s,
                            const char *workspace, const char *command,
                            struct err *e);

/* Keeps what the changes of the view replace, as step n, and applies them; then
 * the view is gone. Appends to `left` in words what was not applied. -1:
 * nothing was applied, and the view is left as a preview, or what it held is
 * dropped, as the error says. *kept says whether step n is in the store. */
int undo_view_apply(struct undo_store *u, struct view *v, size_t n,
                    uint64_t budget_bytes, bool *kept, struct buf *left,
                    struct err *e);

/* Drops the view of a step that was killed. 0: there was none. 1: it is gone;
 * -1: its step runs still, or it cannot be removed. */
int undo_view_drop(struct undo_store *u, const struct seat *s, struct err *e);

#endif
