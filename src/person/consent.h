/* SPDX-License-Identifier: GPL-3.0-or-later */
/* consent.h - whether a model server that was found here is used. */
#ifndef PERSON_CONSENT_H
#define PERSON_CONSENT_H

#include "model/select.h"
#include "person/app.h"

/* Asks about it by name, once: either answer is kept. Where nobody can be
 * asked it is passed over, and nothing is kept. *yes says whether it is used;
 * so is every choice that was not found but named. */
int consent_ask(struct app *a, struct model_selection *c, bool *yes,
                struct err *e);

#endif
