/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_answer.c - how a request of HTTP is answered. */
#include "server/agentctl/agentctl_answer.h"

#include "json/write.h"

#define FIELDS_MAX  (12u << 10)
#define OUTCOME_MAX (64u << 10)
#define TYPE        "application/json"

static const struct error_row {
    int status;
    const char *code;
} codes[] = {
    {401, "unauthorized"},
    {403, "forbidden"},
    {404, "not_found"},
    {0, NULL},
};

void
agentctl_answer_json(struct server_http *h, struct http_connection *c,
                     int status, struct buf *body)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);

    server_http_put_fields(h, c, &fields);
    http_answer(c, status, &fields, TYPE, body);
}

void
agentctl_answer_outcome(struct server_http *h, struct http_connection *c,
                        int status, const char *text)
{
    CLEANUP_BUF struct buf body = buf_of(OUTCOME_MAX);
    struct json_writer w;

    json_write_init(&w, &body);
    json_open_object(&w);
    json_member_bool(&w, "success", status < 400);
    json_member_str(&w, status < 400 ? "message" : "error", text);
    json_close_object(&w);
    buf_ch(&body, '\n');
    agentctl_answer_json(h, c, status, &body);
}

static void
put_error_body(struct buf *out, int status, const char *code,
               const char *message, const char *details)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "error", code);
    json_member_str(&w, "message", message);
    if (details && *details)
        json_member_str(&w, "details", details);
    json_member_int(&w, "http_status", status);
    json_close_object(&w);
    buf_ch(out, '\n');
}

static const char *
code_of_status(int status)
{
    const struct error_row *row = codes;

    while (row->code && row->status != status)
        row++;
    return row->code      ? row->code
           : status < 500 ? "bad_request"
                          : "internal_error";
}

void
agentctl_answer_error(struct server_http *h, struct http_connection *c,
                      int status, bool invalid, const char *message,
                      const char *details)
{
    CLEANUP_BUF struct buf body = buf_of(OUTCOME_MAX);

    put_error_body(&body, status,
                   invalid ? "validation_error" : code_of_status(status),
                   message, details);
    agentctl_answer_json(h, c, status, &body);
}

const char *
agentctl_answer_put_refusal(struct buf *out, int status, const char *why)
{
    put_error_body(out, status, code_of_status(status), why, NULL);
    return TYPE;
}
