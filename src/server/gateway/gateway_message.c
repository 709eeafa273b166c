/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_message.c - the envelope of the gateway's messages. */
#include "server/gateway/gateway_message.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "json/write.h"

static const char *const codes[] = {
    [GATEWAY_BAD_REQUEST] = "BAD_REQUEST",
    [GATEWAY_NOT_FOUND] = "NOT_FOUND",
    [GATEWAY_INTERNAL_ERROR] = "INTERNAL_ERROR",
    [GATEWAY_UNAUTHORIZED] = "UNAUTHORIZED",
    [GATEWAY_FORBIDDEN] = "FORBIDDEN",
    [GATEWAY_VALIDATION_ERROR] = "VALIDATION_ERROR",
    [GATEWAY_UNKNOWN_ACTION] = "UNKNOWN_ACTION",
};

/* A member that may be absent, but is a string. */
static bool
is_string_or_absent(const struct json *root, const char *name)
{
    const struct json *v = json_get(root, name);

    return !v || json_type(v) == JSON_NULL || json_type(v) == JSON_STRING;
}

int
gateway_message_read(const char *text, size_t n, struct gateway_message *m,
                     struct err *e)
{
    const struct json *payload;

    *m = (struct gateway_message){.root = json_parse(text, n, JSON_UNIQUE, e)};
    if (!m->root)
        return -1;
    if (json_type(m->root) != JSON_OBJECT)
        return err_set(e, ERR_PARSE, "a message is an object");
    m->id = json_str(json_get(m->root, "id"), &m->id_n);
    if (!m->id)
        return err_set(e, ERR_PARSE, "the id of a message is a string");
    if (!is_string_or_absent(m->root, "type") ||
        !is_string_or_absent(m->root, "action") ||
        !is_string_or_absent(m->root, "timestamp"))
        return err_set(e, ERR_PARSE,
                       "type, action and timestamp of a message are strings");
    m->action = json_str(json_get(m->root, "action"), &m->action_n);
    if (!m->action)
        m->action = "";
    payload = json_get(m->root, "payload");
    m->payload = payload && json_type(payload) != JSON_NULL ? payload : NULL;
    return 0;
}

void
gateway_message_done(struct gateway_message *m)
{
    if (!m)
        return;
    json_free(m->root);
    m->root = NULL;
}

const char *
gateway_message_time(int64_t ms, char text[GATEWAY_TIME_SIZE])
{
    char seconds[CLOCK_RFC3339_SIZE];

    clock_rfc3339((time_t)(ms / 1000), seconds);
    snprintf(text, GATEWAY_TIME_SIZE, "%.19s.%03dZ", seconds, (int)(ms % 1000));
    return text;
}

void
gateway_message_put(struct buf *out, const struct gateway_envelope *v,
                    const char *payload, size_t n)
{
    struct json_writer w;
    char at[GATEWAY_TIME_SIZE];

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "id");
    json_put_strn(&w, v->id ? v->id : "", v->id ? v->id_n : 0);
    json_member_str(&w, "type", v->type);
    json_key(&w, "action");
    json_put_strn(&w, v->action, v->action_n);
    json_key(&w, "payload");
    json_put_raw(&w, payload, n);
    json_member_str(&w, "timestamp", gateway_message_time(v->at_ms, at));
    json_close_object(&w);
}

void
gateway_message_put_error(struct buf *out, enum gateway_code code,
                          const char *text, const char *details)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "code", codes[code]);
    json_member_str(&w, "message", text);
    if (details) {
        json_key(&w, "details");
        json_put_raw(&w, details, strlen(details));
    }
    json_close_object(&w);
}
