/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_action.h - the actions of the gateway: their fields, and who does
 * them. */
#ifndef SERVER_GATEWAY_GATEWAY_ACTION_H
#define SERVER_GATEWAY_GATEWAY_ACTION_H

#include "server/gateway/gateway_shared.h"

/* Does what a request asks for; it is answered, now or later. */
void gateway_action_take(struct gateway_request *r);

/* The same for one with a client_ref that was handed to a gateway that is gone.
 */
void gateway_action_retry(struct gateway_request *r);

#endif
