/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assist.h - ai do, ai run, ai explain: from a request to an exit status. */
#ifndef UI_ASSIST_H
#define UI_ASSIST_H

#include "action/aiaction.h"
#include "action/host_list.h"
#include "model/select.h"
#include "ui/app.h"

/* A request, as the command line gave it. Strings are borrowed until the run is
 * over, but for the text, which is copied. */
struct assist_request {
    enum aiaction_mode mode;
    const char *text; /* the words joined by blanks; "": there are none */
    struct model_select_params model;
    bool anew; /* --new: a new conversation begins */
    bool yes, each_step, preview, dry_run, show_request;
    bool reduced;       /* with yes: steps that write may run in the profile
                           `reduced`, where there are no namespaces */
    bool no_tool_calls; /* the model calls no tools before it answers */
    bool line; /* only the one command, or the answer, is printed, for a line
                  that is edited; nothing is asked, and no input is read. With
                  dry_run */
    const char *aliases;  /* of `line`: the shell's, as data; NULL: none */
    const char *plan_out; /* --plan-out FILE */
    const char *plan_in;  /* --plan FILE: no model is asked */
    const char *on;       /* --on HOST,…; NULL: the steps run here */
    /* Of ai fix: the command that failed, NULL: it is no repair; what it
     * showed, with all that is known of it, as data for a model; and a plan
     * that a rule made, which the run takes over, NULL: none. asks_model: the
     * plan is taken only where there is no model. */
    const char *failed;
    const char *shown;
    const char *outside; /* what others could have written of it, in words for
                            a review, a constant; NULL: nothing */
    size_t hint;         /* where in `text` the person's own words begin */
    struct aiaction *repair;
    bool asks_model;
    /* of ai undo: what a plan puts back, taken over; the text is then the name
     * of the run */
    struct undo_files *undoing;
    const struct host_list *hosts; /* that it names: of assist_start */
};

/* Answers the request by a model or offline, reviews and runs the plan. Returns
 * APP_GOES_ON, or the exit status; everything is printed when app_over gets it.
 */
int assist_start(struct app *a, const struct assist_request *request);

/* Begins a new conversation for the shell, and says so. Returns the exit
 * status. */
int assist_begin_conversation(struct app *a);

#endif
