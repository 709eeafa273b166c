/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix_request.h - has a rule or a model repair a failure that is known. */
#ifndef UI_FIX_REQUEST_H
#define UI_FIX_REQUEST_H

#include "ui/assist.h"

/* Where the text came from, as programs read it. */
#define FIX_SOURCE_GIVEN      "given"
#define FIX_SOURCE_TRANSCRIPT "transcript"
#define FIX_SOURCE_TMUX       "tmux"
#define FIX_SOURCE_RERUN      "rerun"

struct fix_failure {
    const char *command;
    int status;            /* not 0 */
    const char *directory; /* where it ran; "": in the app's */
    const char *source;    /* one of the above, or "none" */
    const char *text;      /* "": it showed nothing; NULL: nobody knows */
};

/* Says in one line where the text came from, or why it is not known
 * (app.source_reason). */
void fix_request_note(struct app *a, const struct fix_failure *f);

/* Proposes what the first rule that fits makes of it, or asks a model. Where
 * the person gave a hint or asked for a model, and there is one, that is asked
 * in any case, and the rule's repair goes along as a candidate. r's text is the
 * hint. All is borrowed for the call. Returns what assist_start does. */
int fix_request_start(struct app *a, struct assist_request *r,
                      const struct fix_failure *f);

/* Answers that nothing is to be repaired, and why; shown is why in the person's
 * language. 0, or the exit status of a failure. */
int fix_request_none(struct app *a, const char *command, const char *why,
                     const char *shown);

#endif
