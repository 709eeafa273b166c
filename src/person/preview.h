/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.h - a run whose changes are shown before they are kept.
 *
 * A door begins a preview, runs its command in the profile `preview` with
 * preview_view for its site, and finishes it: what changed is shown
 * and the person says whether to keep it. Nothing is lost by a key pressed in
 * haste: to drop it takes a second one, and Enter and Ctrl-C leave the preview
 * as it is, for `agentsh preview keep`, as does a run that nobody can be asked
 * about. */
#ifndef PERSON_PREVIEW_H
#define PERSON_PREVIEW_H

#include "person/app.h"
#include "sandbox/preview/view.h"

struct preview;

/* Makes the view, or a copy of the workspace, and says which in a line where
 * that is not a view on a disk, and what follows. command: for people, who may
 * see it later. ERR_INTERRUPTED: Ctrl-C, while it was copied. */
struct preview *preview_begin(struct app *a, const char *workspace,
                              const char *command, struct err *e);

/* For site_use_view and view_path; p's. */
const struct view *preview_view(const struct preview *p);

enum preview_end {
    PREVIEW_NOTHING, /* nothing was changed; the view is removed */
    PREVIEW_KEPT,
    PREVIEW_DROPPED,
    PREVIEW_LEFT, /* undecided, or refused: it is still there */
};

/* The run is over: shows what changed and asks, turning the loop until the
 * answer is there; where there is nobody to ask, says how to go on. -1: it
 * could not be read, ERR_INTERRUPTED, or why keeping was refused (already said
 * on the screen). */
int preview_finish(struct preview *p, enum preview_end *end, struct err *e);

/* Takes the question off the screen; a view that is there stays. Accepts
 * NULL. */
void preview_close(struct preview *p);
DEFINE_CLEANUP(struct preview, preview_close)

/* For `agentsh preview`: one that was left, by its id (NULL: the only one),
 * and the answers to the question. All say what they did on the screen. */
struct preview *preview_find(struct app *a, const char *id, struct err *e);
int preview_show(struct preview *p, struct err *e); /* to standard output */
int preview_keep(struct preview *p, struct err *e);
int preview_drop(struct preview *p, struct err *e);
/* The same without a word: for a run that never began. */
int preview_forget(struct preview *p, struct err *e);

/* Appends a line for each that is there. */
int preview_list(struct app *a, struct buf *out, struct err *e);

#endif
