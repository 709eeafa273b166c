/* SPDX-License-Identifier: GPL-3.0-or-later */
/* consent.h - asks whether a model server that was found here may be used. */
#ifndef UI_CONSENT_H
#define UI_CONSENT_H

#include "model/select.h"
#include "ui/app.h"

struct consent; /* the question on the screen */

/* yes: the server is used; why not ERR_NONE: the question was interrupted, or
 * the answer could not be stored. It comes once, from the loop, and may close
 * it. */
typedef void consent_cb(void *arg, bool yes, const struct err *why);

/* Whether somebody can be asked about it. A server that the user named,
 * in settings or options, needs no question. Where nobody can be asked the
 * server is not used and nothing is stored. */
bool consent_can_ask(struct app *a, const struct model_selection *c);

/* Asks about the server by its name, once: either answer is stored. */
struct consent *consent_open(struct app *a, struct model_selection *c,
                             consent_cb *cb, void *arg, struct err *e);
void consent_close(struct consent *q); /* accepts NULL */
DEFINE_CLEANUP(struct consent, consent_close)

/* Writes who reads what is sent to a server, for the end of a sentence: ", run
 * by the user x"; "": this user does. uid -1: unknown. */
void consent_write_user(long uid, char *text, size_t size);

#endif
