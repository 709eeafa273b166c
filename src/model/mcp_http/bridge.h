/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bridge.h - carries messages between the standard streams and the server. */
#ifndef MODEL_MCP_HTTP_BRIDGE_H
#define MODEL_MCP_HTTP_BRIDGE_H

#include "base/err.h"

/* Runs until the input ends and the server's session with it. */
int bridge_run(struct err *e);

#endif
