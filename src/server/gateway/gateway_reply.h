/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_reply.h - answers to the requests of clients. Each request is
 * answered once, and is freed by that. */
#ifndef SERVER_GATEWAY_GATEWAY_REPLY_H
#define SERVER_GATEWAY_GATEWAY_REPLY_H

#include "server/gateway/gateway_shared.h"

/* Answers now. payload: the text of a JSON object. */
void gateway_reply(struct gateway_request *r, const struct buf *payload);

/* Answers when all that was handed to the store so far is on the disk; the
 * bytes of payload are taken. Until then the request must not be touched. */
void gateway_reply_when_kept(struct gateway_request *r, struct buf *payload);

/* The same with {"success":true,"task_id":…}. */
void gateway_reply_success(struct gateway_request *r);

/* Answers with an error; details: JSON text, or NULL. */
void gateway_refuse(struct gateway_request *r, enum gateway_code code,
                    const char *details, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* An error for what is no request: id and action are those that could be read,
 * or "". */
void gateway_refuse_message(struct gateway_client *c,
                            const struct gateway_message *m,
                            enum gateway_code code, const char *text);

/* Answers what was handed on, as the gateway that did it says. type: a
 * literal. */
void gateway_reply_passed(struct gateway_request *r, const char *type,
                          const char *payload);

/* Requests that wait for NATS, which does not answer any more, or for the
 * store, which cannot write, are answered by that as an error; what they ask
 * for goes on. */
void gateway_reply_overdue(struct gateway *g, int64_t now);

/* A request whose changes do not count: a callback of gateway_keep_then. */
void gateway_reply_lost(void *request);

/* Nobody is there any more to be answered. */
void gateway_request_free(struct gateway_request *r);

/* Members of a request's payload; NULL, or `otherwise` where there is none. */
const char *gateway_request_text(const struct gateway_request *r,
                                 const char *name);
int64_t gateway_request_int(const struct gateway_request *r, const char *name,
                            int64_t otherwise);

#endif
