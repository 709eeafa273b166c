/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nats_library.h - the functions of cnats, which is loaded when needed. */
#ifndef WIRE_NATS_LIBRARY_H
#define WIRE_NATS_LIBRARY_H

#include <nats/nats.h>

#include "base/err.h"

/* Their names in the library, without what stands before them here. */
#define NATS_CALLS(X)                                                          \
    X(natsOptions_Create)                                                      \
    X(natsOptions_Destroy)                                                     \
    X(natsOptions_SetURL)                                                      \
    X(natsOptions_SetServers)                                                  \
    X(natsOptions_SetName)                                                     \
    X(natsOptions_SetSecure)                                                   \
    X(natsOptions_SetSendAsap)                                                 \
    X(natsOptions_SetMaxReconnect)                                             \
    X(natsOptions_SetReconnectWait)                                            \
    X(natsOptions_SetReconnectJitter)                                          \
    X(natsOptions_SetReconnectBufSize)                                         \
    X(natsOptions_SetPingInterval)                                             \
    X(natsOptions_SetMaxPingsOut)                                              \
    X(natsOptions_SetRetryOnFailedConnect)                                     \
    X(natsOptions_SetDisconnectedCB)                                           \
    X(natsOptions_SetReconnectedCB)                                            \
    X(natsOptions_SetErrorHandler)                                             \
    X(natsOptions_SetClosedCB)                                                 \
    X(natsConnection_Connect)                                                  \
    X(natsConnection_PublishRequest)                                           \
    X(natsConnection_Publish)                                                  \
    X(natsConnection_Subscribe)                                                \
    X(natsConnection_FlushTimeout)                                             \
    X(natsConnection_Close)                                                    \
    X(natsConnection_Destroy)                                                  \
    X(natsSubscription_Destroy)                                                \
    X(natsSubscription_SetOnCompleteCB)                                        \
    X(natsMsg_GetSubject)                                                      \
    X(natsMsg_GetReply)                                                        \
    X(natsMsg_GetData)                                                         \
    X(natsMsg_GetDataLength)                                                   \
    X(natsMsgHeader_Get)                                                       \
    X(natsMsg_Destroy)                                                         \
    X(natsStatus_GetText)

#define NATS_CALL_MEMBER(name) __typeof__(&(name)) name;

struct nats_calls {
    void *library;
    NATS_CALLS(NATS_CALL_MEMBER)
};

/* Fills in c. ERR_UNSUPPORTED: the library is not installed, or too old. It
 * stays loaded. */
int nats_library_load(struct nats_calls *c, struct err *e);

#endif
