/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_model.h - selects the model for all sessions, while requests wait for it.
 *
 * The selection takes milliseconds, or up to a minute where a command prints
 * the key. */
#ifndef SERVER_ACP_ACP_MODEL_H
#define SERVER_ACP_ACP_MODEL_H

#include "base/loop.h"
#include "model/select.h"
#include "wire/rpc.h"
#include "json/json.h"

struct acp_model;

/* Starts the selection; the loop and the seat are borrowed, and the
 * configuration is held. */
struct acp_model *acp_model_new(struct loop *l, const struct seat *s,
                                struct config *c, struct err *e);
void acp_model_free(struct acp_model *m); /* accepts NULL */
DEFINE_CLEANUP(struct acp_model, acp_model_free)

/* Calls the method when the selection is made, with a copy of the params; at
 * once where it is made already. limit_ms: or after so long; 0: no limit. Calls
 * keep their order. rq NULL: it is a notification. */
void acp_model_wait(struct acp_model *m, rpc_request_cb *method, void *arg,
                    struct rpc_request *rq, const struct json *params,
                    int64_t limit_ms);

/* Drops the requests that wait with this arg. */
void acp_model_leave(struct acp_model *m, const void *arg);

/* Whether a method waits. */
bool acp_model_has_waiting(const struct acp_model *m);

/* The model that is asked; NULL: the offline engine answers. Valid once it is
 * made. */
const struct model_selection *acp_model_selection(const struct acp_model *m);
/* Why no model can be asked though one is named; code ERR_NONE: nothing is
 * wrong, as far as is known. */
const struct err *acp_model_fault(const struct acp_model *m);

#endif
