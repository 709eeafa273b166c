/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protocol.h - the lines of the Plugin Tool API: requests, events, responses.
 *
 * Lines from a plugin are bytes from outside: what does not have the form of
 * agentsh-plugin(7) is an error that says what is wrong with it. */
#ifndef TOOL_PROTOCOL_H
#define TOOL_PROTOCOL_H

#include "tool/call.h"
#include "json/json.h"

#define PROTOCOL_REQUEST_MAX (16u << 20) /* bytes of a request line */

/* The action that is asked for. NULL and ERR_INVALID: the tool has no such
 * action, or its schema refuses the arguments. */
const struct manifest_action *
protocol_check_request(const struct tool *t, const struct tool_request *rq,
                       struct err *e);

/* Milliseconds that the call may take: the least of the limits of the
 * manifest, the request and the sandbox setup. < 0: no limit. */
int64_t protocol_time_limit(const struct tool *t, const struct tool_request *rq,
                            const struct tool_setting *s);

/* Writes the arguments, with which a request line begins: a thread may do so,
 * for they may be long. */
void protocol_begin_request(struct buf *out, const struct json *args);

/* Writes a request line without its newline, or the rest of one that has been
 * begun. limit_ms: protocol_time_limit. */
void protocol_write_request(struct buf *out, const struct tool *t,
                            const struct tool_request *rq,
                            const struct tool_setting *s, int64_t id,
                            int64_t limit_ms);

/* Bytes of a response's stdout, and of its stderr. */
#define PROTOCOL_TEXT_MAX (1u << 20)

enum protocol_kind { PROTOCOL_RESPONSE, PROTOCOL_OUTPUT, PROTOCOL_ELEVATE };

/* A line that a plugin wrote. */
struct protocol_message {
    struct json *root; /* owns what the others point into */
    enum protocol_kind kind;
    const char *stream, *data; /* PROTOCOL_OUTPUT */
    size_t data_len;
    const struct json *argv;   /* PROTOCOL_ELEVATE: a list of strings */
    struct tool_result result; /* PROTOCOL_RESPONSE */
    bool has_id, has_duration; /* the same */
    int64_t id;
};

/* Reads a line. ERR_PARSE: it is not JSON; ERR_PEER: it has not the form of
 * the API. r needs protocol_message_done in any case. */
int protocol_parse(const char *line, size_t n, struct protocol_message *r,
                   struct err *e);
void protocol_message_done(struct protocol_message *r);

/* The i-th error code of the API; NULL after the last. tests/check compares
 * them with the manual. */
const char *protocol_error_code(size_t i);

#endif
