/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_keep.h - changes of the gateway's tables: into the store, or by the
 * stream of the gateways that share their tasks. */
#ifndef SERVER_GATEWAY_GATEWAY_KEEP_H
#define SERVER_GATEWAY_GATEWAY_KEEP_H

#include "server/gateway/gateway_shared.h"

void gateway_keep(struct gateway *g, enum gateway_statement what,
                  const struct gateway_values *in);

/* Calls cb when all changes so far are kept; lost where they never will be, as
 * the other gateways took this one for dead. */
void gateway_keep_then(struct gateway *g, void (*cb)(void *arg),
                       void (*lost)(void *arg), void *arg);

/* Why nothing new can be kept at the moment; NULL: it can. */
const char *gateway_keep_trouble(const struct gateway *g);
bool gateway_keep_is_full(const struct gateway *g);

/* The number after `last` of a counter: of tasks, prompts, places. */
int64_t gateway_keep_number(const struct gateway *g, int64_t last);

#endif
