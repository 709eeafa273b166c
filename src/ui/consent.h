/* SPDX-License-Identifier: GPL-3.0-or-later */
/* consent.h - asks whether a model server that was found here may be used. */
#ifndef UI_CONSENT_H
#define UI_CONSENT_H

#include "model/select.h"
#include "ui/app.h"

/* Asks about the server by its name, once: either answer is stored. Where
 * nobody can be asked the server is not used and nothing is stored. A server
 * that the user named, in settings or options, needs no question. *yes says
 * whether it is used. */
int consent_ask(struct app *a, struct model_selection *c, bool *yes,
                struct err *e);

/* Writes who reads what is sent to a server, for the end of a sentence: ", run
 * by the user x"; "": this user does. uid -1: unknown. */
void consent_write_user(long uid, char *text, size_t size);

#endif
