/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_message.h - writes the user's message to a model. */
#ifndef UI_USER_MESSAGE_H
#define UI_USER_MESSAGE_H

#include "model/prompt/origin.h"
#include "ui/assist.h"

/* Appends the request, the tools that a step may name, recipes that are near
 * it, the context, and what was piped in; secrets are redacted. Notes in o
 * which parts others could have written. */
int user_message_write(struct app *a, const struct assist_request *request,
                       const struct model_selection *c, const struct buf *input,
                       struct buf *out, struct origin *o, struct err *e);

#endif
