/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_message.h - writes the messages to a model. */
#ifndef UI_USER_MESSAGE_H
#define UI_USER_MESSAGE_H

#include "model/prompt/origin.h"
#include "ui/assist.h"

/* Appends the rules, and what a step may name. look: the model may call tools.
 * Notes in o which parts others could have written. */
int user_message_write_system(struct app *a,
                              const struct assist_request *request, bool look,
                              struct buf *out, struct origin *o, struct err *e);

/* Appends the context, what was piped in, recipes that are near the request,
 * and the request; secrets are redacted. Notes in o which parts others could
 * have written. */
int user_message_write(const struct seat *s,
                       const struct assist_request *request,
                       const struct model_selection *c, const struct buf *input,
                       struct buf *out, struct origin *o, struct err *e);

#endif
