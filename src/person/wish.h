/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wish.h - ai do, ai run, ai explain: from a wish to an exit status. */
#ifndef PERSON_WISH_H
#define PERSON_WISH_H

#include "action/aiaction.h"
#include "action/inquiry.h"
#include "action/plan.h"
#include "model/select.h"
#include "person/app.h"

/* What the command line said; strings are borrowed. */
struct wish {
    enum aiaction_mode mode;
    char *text; /* the words joined by blanks; "" when there are none */
    struct model_select_params model;
    bool yes, each_step, preview, dry_run, show_request;
    bool reduced; /* with yes, what writes may be so where namespaces are not */
    bool whole;   /* offline: no plan that leaves out a word of the text */
    bool no_look; /* the model is told what it is told, and calls no tool */
    const char *plan_out; /* --plan-out FILE */
    const char *plan_in;  /* --plan FILE: no model is asked */
};

/* Does all of it and returns the exit status. */
int wish_run(struct app *a, const struct wish *w);

#endif
