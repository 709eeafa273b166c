/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - a request of the front's as a call of the provider's. */
#ifndef MODEL_REQUEST_H
#define MODEL_REQUEST_H

#include "model/choice.h"

/* The call that a question makes, its turns redacted. Freed as a whole. */
struct model_call {
    struct call call;
    struct model_turn *turns;
    struct json *schema;
    struct call_tool *tools;
};
int model_call_init(struct model_call *mc, const struct model_choice *m,
                    const struct model_request *r, struct err *e);
void model_call_done(struct model_call *mc);

#endif
