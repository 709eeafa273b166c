/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_message.h - the envelope of the gateway's messages.
 *
 * {"id","type","action","payload","timestamp"}, an object each; several in one
 * text frame have a newline between them. Every byte is untrusted. */
#ifndef SERVER_GATEWAY_GATEWAY_MESSAGE_H
#define SERVER_GATEWAY_GATEWAY_MESSAGE_H

#include "base/buf.h"
#include "json/json.h"

enum gateway_code {
    GATEWAY_BAD_REQUEST,
    GATEWAY_NOT_FOUND,
    GATEWAY_INTERNAL_ERROR,
    GATEWAY_UNAUTHORIZED,
    GATEWAY_FORBIDDEN,
    GATEWAY_VALIDATION_ERROR,
    GATEWAY_UNKNOWN_ACTION,
};

struct gateway_message {
    struct json *root;
    const char *id, *action; /* borrowed from root */
    size_t id_n, action_n;
    const struct json *payload; /* NULL: none, or null */
};

/* Reads a message of a client's. ERR_PARSE: it is none. m is released with
 * gateway_message_done in any case. */
int gateway_message_read(const char *text, size_t n, struct gateway_message *m,
                         struct err *e);
void gateway_message_done(struct gateway_message *m); /* accepts NULL */

/* Appends a message; payload is the text of one JSON value. id NULL: "". */
struct gateway_envelope {
    const char *id, *type, *action;
    size_t id_n, action_n;
    int64_t at_ms; /* since 1970 */
};
void gateway_message_put(struct buf *out, const struct gateway_envelope *v,
                         const char *payload, size_t n);

/* The payload of an error; details: the text of a JSON value, or NULL. */
void gateway_message_put_error(struct buf *out, enum gateway_code code,
                               const char *text, const char *details);

/* A time as messages have it. */
#define GATEWAY_TIME_SIZE 32
const char *gateway_message_time(int64_t ms, char text[GATEWAY_TIME_SIZE]);

#endif
