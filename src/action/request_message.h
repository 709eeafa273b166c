/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_message.h - writes the messages to a model that begin a request. */
#ifndef ACTION_REQUEST_MESSAGE_H
#define ACTION_REQUEST_MESSAGE_H

#include "action/user_request.h"
#include "model/prompt/origin.h"
#include "model/select.h"
#include "tool/registry.h"

/* Appends the rules, and what a step may name. r NULL: no tool. look: the model
 * may call tools. Notes in o which parts others could have written. */
int request_message_write_system(struct registry *r, enum aiaction_mode mode,
                                 bool look, struct buf *out, struct origin *o,
                                 struct err *e);

/* Appends the context, what came with the request, recipes that are near it,
 * and its words; secrets are redacted. Notes in o which parts others could have
 * written. */
int request_message_write(const struct seat *s,
                          const struct user_request *request,
                          const struct model_selection *c, struct buf *out,
                          struct origin *o, struct err *e);

#endif
