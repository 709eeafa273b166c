/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jsonrpc_write.c - writing the messages of JSON-RPC 2.0. */
#include <string.h>

#include "wire/jsonrpc.h"

static void
begin(struct json_writer *w, struct buf *out)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "jsonrpc", "2.0");
}

static void
put_id(struct json_writer *w, const char *id)
{
    json_key(w, "id");
    if (id)
        json_put_raw(w, id, strlen(id));
    else
        json_put_null(w);
}

void
jsonrpc_begin_request(struct json_writer *w, struct buf *out, int64_t id,
                      const char *method)
{
    begin(w, out);
    json_member_int(w, "id", id);
    json_member_str(w, "method", method);
}

void
jsonrpc_begin_notification(struct json_writer *w, struct buf *out,
                           const char *method)
{
    begin(w, out);
    json_member_str(w, "method", method);
}

void
jsonrpc_begin_result(struct json_writer *w, struct buf *out, const char *id)
{
    begin(w, out);
    put_id(w, id);
    json_key(w, "result");
}

void
jsonrpc_params(struct json_writer *w)
{
    json_key(w, "params");
}

void
jsonrpc_end(struct json_writer *w)
{
    json_close_object(w);
}

void
jsonrpc_put_error(struct buf *out, const char *id, int code,
                  const char *message)
{
    struct json_writer w;

    begin(&w, out);
    put_id(&w, id);
    json_key(&w, "error");
    json_open_object(&w);
    json_member_int(&w, "code", code);
    json_member_str(&w, "message", message);
    json_close_object(&w);
    json_close_object(&w);
}
