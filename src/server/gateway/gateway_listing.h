/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_listing.h - the actions that show many things, and change nothing. */
#ifndef SERVER_GATEWAY_GATEWAY_LISTING_H
#define SERVER_GATEWAY_GATEWAY_LISTING_H

#include "server/gateway/gateway_shared.h"

void gateway_list_tasks(struct gateway_request *r);
void gateway_list_events(struct gateway_request *r);
void gateway_list_prompts(struct gateway_request *r);
void gateway_list_permissions(struct gateway_request *r);
void gateway_list_queue(struct gateway_request *r);
void gateway_list_status(struct gateway_request *r);
void gateway_list_usage(struct gateway_request *r);
void gateway_list_agents(struct gateway_request *r);
void gateway_list_health(struct gateway_request *r);

#endif
