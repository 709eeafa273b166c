/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_request.h - writes what the gateway asks an agent, and reads a refusal.
 *
 * In the public Agent Client Protocol, or the dialect with the version "1.0".
 */
#ifndef SERVER_GATEWAY_AGENT_REQUEST_H
#define SERVER_GATEWAY_AGENT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "wire/jsonrpc.h"

#define AGENT_PUBLIC_VERSION 1
#define AGENT_DIALECT        "1.0"

enum agent_protocol { SPEAKS_PUBLIC, SPEAKS_DIALECT, SPEAKS_OLD };

/* Each appends one message. id: of the request. */
void agent_request_initialize(struct buf *out, enum agent_protocol p,
                              int64_t id);

/* session NULL: a new one; else one that is resumed, or loaded. */
void agent_request_session(struct buf *out, enum agent_protocol p, int64_t id,
                           const char *session, bool resume,
                           const char *directory);

void agent_request_prompt(struct buf *out, enum agent_protocol p, int64_t id,
                          const char *session, const char *text);

void agent_request_cancel(struct buf *out, enum agent_protocol p,
                          const char *session);

/* Makes our error of an answer that is one. what: the request's method. */
void agent_request_error(const struct jsonrpc *m, const char *what,
                         struct err *e);

#endif
