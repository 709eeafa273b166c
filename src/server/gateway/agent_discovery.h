/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_discovery.h - which agents are installed on this machine.
 *
 * A type of agent is here where one of its paths exists, or, where it names
 * none, where its command's program is on PATH. In a path ~ and variables
 * ($NAME, ${NAME}) are expanded. */
#ifndef SERVER_GATEWAY_AGENT_DISCOVERY_H
#define SERVER_GATEWAY_AGENT_DISCOVERY_H

#include "base/buf.h"
#include "server/gateway/agent_type.h"

/* Appends all types as a JSON array, in which there are no secrets:
 * {"id","name","description","image","command","capabilities","enabled",
 * "available","path"}. */
void agent_discovery_put(const struct agent_types *types,
                         const struct seat *seat, struct buf *out);

#endif
