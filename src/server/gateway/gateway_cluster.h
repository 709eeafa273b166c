/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_cluster.h - this gateway among others that share its tasks. */
#ifndef SERVER_GATEWAY_GATEWAY_CLUSTER_H
#define SERVER_GATEWAY_GATEWAY_CLUSTER_H

#include "server/gateway/gateway_shared.h"

/* Opens g->nodes, for g->set.nats. opened is called when what is in the tables
 * may be served. */
int gateway_cluster_open(struct gateway *g, void (*opened)(void *gateway),
                         struct err *e);

#endif
