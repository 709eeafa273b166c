/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_orchestrator.h - the actions that have a task done, or end that. */
#ifndef SERVER_GATEWAY_GATEWAY_ORCHESTRATOR_H
#define SERVER_GATEWAY_GATEWAY_ORCHESTRATOR_H

#include "server/gateway/gateway_shared.h"

void gateway_orchestrator_start(struct gateway_request *r);
void gateway_orchestrator_trigger(struct gateway_request *r);
void gateway_orchestrator_prompt(struct gateway_request *r);
void gateway_orchestrator_stop(struct gateway_request *r);
void gateway_orchestrator_complete(struct gateway_request *r);
void gateway_prompt_remove(struct gateway_request *r);

/* Gives places to the tasks that wait; the callback of gateway's `schedule`. */
void gateway_orchestrator_schedule(void *gateway, unsigned events);

#endif
