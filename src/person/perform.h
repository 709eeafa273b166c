/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perform.h - a plan with a person in front of it: shown, asked, run. */
#ifndef PERSON_PERFORM_H
#define PERSON_PERFORM_H

#include "action/inquiry.h"
#include "person/wish.h"

/* Shows the plan, asks as often as it must, runs it and reports. The action
 * may be edited by the person on the way. facts and model may be NULL. Returns
 * the exit status. */
int perform(struct app *a, const struct wish *w, struct aiaction *action,
            const char *model, const struct inquiry_facts *facts);

#endif
