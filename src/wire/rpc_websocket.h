/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_websocket.h - JSON-RPC on a WebSocket: a message each way is one text. */
#ifndef WIRE_RPC_WEBSOCKET_H
#define WIRE_RPC_WEBSOCKET_H

#include "wire/rpc.h"
#include "wire/websocket.h"

struct rpc_websocket;

/* set: as for rpc_new; its in, out and carrier are ignored. ended: the
 * WebSocket is over, with the status of its close; the callee frees this. */
struct rpc_websocket *rpc_websocket_new(const struct rpc_setup *set,
                                        void (*ended)(void *arg,
                                                      unsigned status),
                                        void *arg, struct err *e);
/* Also closes an open WebSocket, with the status "going away". Accepts NULL. */
void rpc_websocket_free(struct rpc_websocket *r);
DEFINE_CLEANUP(struct rpc_websocket, rpc_websocket_free)

/* The events for the WebSocket, whose owner must be the rpc_websocket; and the
 * WebSocket, once it is open. What is sent before is lost. */
const struct websocket_events *rpc_websocket_events(void);
void rpc_websocket_opened(struct rpc_websocket *r, struct websocket *ws);

struct rpc *rpc_websocket_rpc(struct rpc_websocket *r);
/* NULL: it is not open. */
struct websocket *rpc_websocket_socket(struct rpc_websocket *r);

#endif
