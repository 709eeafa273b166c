/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.h - runs commands on a copy-on-write view and asks what to keep.
 *
 * The caller begins a preview, runs its command in the profile `preview` with
 * preview_view in its sandbox setup, and finishes the preview: the changes are
 * shown and the user says whether to keep them. A hasty key loses nothing: to
 * drop the changes takes a second key, and Enter and Ctrl-C leave the preview
 * for `agentsh preview keep`, as does a run where nobody can be asked. */
#ifndef UI_PREVIEW_H
#define UI_PREVIEW_H

#include "sandbox/preview/view.h"
#include "ui/app.h"

struct preview;

/* Makes a view of the workspace, or a copy of it. Prints a line where it is
 * not a view on a disk, and what follows from that. command is stored for the
 * user to recognise the preview by. ERR_INTERRUPTED: Ctrl-C during the copy. */
struct preview *preview_begin(struct app *a, const char *workspace,
                              const char *command, struct err *e);

/* The view, for sandbox_setup_use_view and view_path; it belongs to p. */
const struct view *preview_view(const struct preview *p);

enum preview_end {
    PREVIEW_NOTHING, /* nothing was changed; the view is removed */
    PREVIEW_KEPT,
    PREVIEW_DROPPED,
    PREVIEW_LEFT, /* undecided, or keeping failed: the view is still there */
};

/* The last thing that is done with the preview, which it may close. why is not
 * ERR_NONE where the changes cannot be read, the question was interrupted, or
 * the changes could not be kept (which is printed already). */
typedef void preview_cb(void *arg, enum preview_end how, const struct err *why);

/* Called when the run is over: shows the changes and asks; where nobody can be
 * asked, prints how to go on. cb is called once, perhaps before this returns.
 */
void preview_finish(struct preview *p, preview_cb *cb, void *arg);

/* Takes the question off the screen; the view stays on the disk. Accepts
 * NULL. */
void preview_close(struct preview *p);
DEFINE_CLEANUP(struct preview, preview_close)

/* For `agentsh preview`: opens a preview that was left, by its id (NULL: the
 * only one), and shows, keeps or drops it. All print what they did. */
struct preview *preview_find(struct app *a, const char *id, struct err *e);
int preview_show(struct preview *p, struct err *e); /* to standard output */
int preview_keep(struct preview *p, struct err *e);
int preview_drop(struct preview *p, struct err *e);
/* Removes the view and prints nothing: for a run that never began. */
int preview_forget(struct preview *p, struct err *e);

/* Appends a line for each preview that was left. */
int preview_list(struct app *a, struct buf *out, struct err *e);

#endif
