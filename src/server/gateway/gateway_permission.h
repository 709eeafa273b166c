/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_permission.h - questions of agents, and who answered them.
 *
 * A question goes to all who watch its task, is answered by any of them, once,
 * and the agent hears of it when that is on the disk. */
#ifndef SERVER_GATEWAY_GATEWAY_PERMISSION_H
#define SERVER_GATEWAY_GATEWAY_PERMISSION_H

#include "server/gateway/gateway_shared.h"

/* data: {"request_id","title","options"}. */
void gateway_permission_ask(struct gateway_task *t, const char *request_id,
                            const struct buf *data);

/* Nobody waits for the answer any more; request_id NULL: to any question. */
void gateway_permission_withdraw(struct gateway_task *t,
                                 const char *request_id);

/* Those whose time is up; now: since 1970. */
void gateway_permission_expire(struct gateway *g, int64_t now_ms);

/* The request task.respond. */
void gateway_permission_respond(struct gateway_request *r);

#endif
