/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assist.h - ai do, ai run, ai explain: from a request to an exit status. */
#ifndef UI_ASSIST_H
#define UI_ASSIST_H

#include "action/agent_loop.h"
#include "action/aiaction.h"
#include "model/select.h"
#include "ui/app.h"

/* A request, as the command line gave it. Strings are borrowed. */
struct assist_request {
    enum aiaction_mode mode;
    char *text; /* the words joined by blanks; "": there are none */
    struct model_select_params model;
    bool yes, each_step, preview, dry_run, show_request;
    bool reduced; /* with yes: steps that write may run in the profile
                     `reduced`, where there are no namespaces */
    bool whole;   /* offline: no plan that leaves out a word of the text */
    bool no_tool_calls;   /* the model calls no tools before it answers */
    const char *plan_out; /* --plan-out FILE */
    const char *plan_in;  /* --plan FILE: no model is asked */
};

/* Answers the request by a model or offline, reviews and runs the plan, and
 * returns the exit status. Everything that it prints is printed on return. */
int assist_run(struct app *a, const struct assist_request *request);

#endif
