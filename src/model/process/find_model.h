/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_model.h - asks a provider which models it has, and chooses one of them
 * in place of a default that is gone. */
#ifndef MODEL_PROCESS_FIND_MODEL_H
#define MODEL_PROCESS_FIND_MODEL_H

#include "model/ipc.h"
#include "model/process/connections.h"
#include "model/process/curl_loop.h"

struct find_model;

/* Called once. model: valid during the call; NULL: the list did not come in
 * time, or has no model to ask. It may free the search. */
typedef void find_model_end(void *arg, const char *model);

/* group and q are borrowed until find_model_free(). */
struct find_model *find_model_start(struct loop *l, struct curl_loop *c,
                                    const struct connection_group *group,
                                    const struct ipc_query *q,
                                    find_model_end *end, void *arg,
                                    struct err *e);
void find_model_free(struct find_model *f);

#endif
