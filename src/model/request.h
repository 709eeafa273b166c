/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - turns the front's request into one for the provider. */
#ifndef MODEL_REQUEST_H
#define MODEL_REQUEST_H

#include "model/selection.h"

/* The provider's request, with secrets redacted from its turns. */
struct model_prepared_request {
    struct provider_request request;
    struct model_turn *turns;
    struct json *schema;
    struct provider_tool *tools;
};

/* Borrows what r and m hold, but for the turns, the schema and the tools'
 * schemas. pr needs model_prepared_request_done() also on failure. */
int model_prepared_request_init(struct model_prepared_request *pr,
                                const struct model_selection *m,
                                const struct model_request *r, struct err *e);
void model_prepared_request_done(struct model_prepared_request *pr);

#endif
