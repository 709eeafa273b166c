/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_task_actions.h - the actions that make, show, change and watch a
 * task. */
#ifndef SERVER_GATEWAY_GATEWAY_TASK_ACTIONS_H
#define SERVER_GATEWAY_GATEWAY_TASK_ACTIONS_H

#include "server/gateway/gateway_shared.h"

void gateway_task_create(struct gateway_request *r);
void gateway_task_get(struct gateway_request *r);
void gateway_task_update(struct gateway_request *r);
void gateway_task_subscribe(struct gateway_request *r);
void gateway_task_unsubscribe(struct gateway_request *r);

#endif
