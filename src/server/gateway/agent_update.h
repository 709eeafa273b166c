/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_update.h - reads what an agent tells of its work.
 *
 * Three forms: updates of the public Agent Client Protocol, those of the
 * dialect with the version "1.0", and the lines of an older format, which is no
 * JSON-RPC. Which one it is each message says itself. */
#ifndef SERVER_GATEWAY_AGENT_UPDATE_H
#define SERVER_GATEWAY_AGENT_UPDATE_H

#include <stdint.h>

#include "base/buf.h"
#include "json/json.h"

struct agent_update {
    const char *kind; /* of the event, static; NULL: it is no update */
    struct buf data;  /* one JSON value */
    const char *text; /* of a text of the agent's, which data is made of when it
                         is known to be whole; borrowed; NULL: it is none */
    bool work;        /* it begins or goes on with a tool call */
    bool ends_turn;   /* as the dialect and the older format say it */
    bool success;     /* then */
    const char *stop_reason; /* then; static */
    const char *summary;     /* then; borrowed; "": none */
    int64_t used;            /* tokens; -1: it does not say */
    double cost;             /* -1: it does not say */
};

/* Reads the params of a notification session/update. u->data is to be done with
 * buf_done in any case. */
void agent_update_read(const struct json *params, struct agent_update *u);

/* Reads a line that is an object, but no JSON-RPC. */
void agent_update_read_old(const struct json *line, struct agent_update *u);

/* Appends the data of a content event with this text. */
void agent_update_put_text(struct buf *out, const char *text, size_t n);

/* Append the data of events of our own making: an error, whose details may be
 * NULL and code 0; the end of a turn, with the members of the answer to the
 * prompt; a line of n bytes that is no message, or its beginning. */
void agent_update_put_error(struct buf *out, const char *message,
                            const char *details, int64_t code);
void agent_update_put_result(struct buf *out, bool success, const char *session,
                             const char *summary, const struct json *result);
void agent_update_put_log(struct buf *out, const char *line, size_t n);

/* What the answer to a prompt of the public protocol says of its tokens; -1:
 * nothing. */
void agent_update_read_usage(const struct json *result, int64_t *tokens_in,
                             int64_t *tokens_out);

#endif
