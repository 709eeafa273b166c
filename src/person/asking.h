/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asking.h - waiting for a model with a person: progress, text, Ctrl-C. */
#ifndef PERSON_ASKING_H
#define PERSON_ASKING_H

#include "action/inquiry.h"
#include "person/answer.h"

/* What came of it. */
struct proposal {
    struct aiaction *action; /* owned */
    struct inquiry_facts facts;
    char *model; /* as the server names it, else as we do; owned */
};
void proposal_done(struct proposal *r);

/* Asks and waits. An answer's text goes to w as it streams. */
int asking_run(struct app *a, struct model *m, const char *model_name,
               enum aiaction_mode mode, const char *user, struct answer *w,
               struct proposal *out, struct err *e);

#endif
