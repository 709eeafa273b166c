/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo.h - ai undo: makes a plan that takes back what a run changed. */
#ifndef UI_UNDO_H
#define UI_UNDO_H

#include "ui/app.h"

struct undo_request {
    const char *run; /* NULL: the last one of which something was kept */
    bool dry_run;    /* only show the plan */
    bool each;       /* a step for each path, and a question for each step */
};

/* The plan is reviewed and run as any other (assist.h), and what it replaces is
 * kept first, as the originals of a run of its own. Returns the exit status, or
 * APP_GOES_ON. */
int undo_start(struct app *a, const struct undo_request *w);

#endif
