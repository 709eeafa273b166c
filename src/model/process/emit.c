/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.c - the process's events, written to its standard output at once. */
#include "model/process/emit.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/utf8.h"
#include "model/ask.h"
#include "model/fault.h"
#include "json/write.h"

#define PIECE_BYTES 65536u /* of text in one event */

static void
begin(struct json_writer *w, struct buf *out, int64_t id, const char *event)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "event", event);
    json_member_int(w, "id", id);
}

static void
finish(struct json_writer *w, struct buf *out)
{
    json_close_object(w);
    buf_ch(out, '\n');
    if (!out->bad)
        (void)fd_write_all(STDOUT_FILENO, out->p, out->len, -1, NULL);
}

static void
emit_piece(int64_t id, const char *p, size_t n)
{
    CLEANUP_BUF struct buf out = buf_of(ASK_EVENT_MAX);
    struct json_writer w;

    begin(&w, &out, id, "text");
    json_key(&w, "text");
    json_put_strn(&w, p, n);
    finish(&w, &out);
}

void
emit_text(int64_t id, const char *p, size_t n)
{
    while (n > 0) {
        size_t part = n;

        if (n > PIECE_BYTES)
            part = utf8_boundary(p, n, PIECE_BYTES);
        emit_piece(id, p, part);
        p += part;
        n -= part;
    }
}

void
emit_word(int64_t id, const char *event)
{
    CLEANUP_BUF struct buf out = buf_of(ASK_EVENT_MAX);
    struct json_writer w;

    begin(&w, &out, id, event);
    finish(&w, &out);
}

void
emit_line(int64_t id, const char *event, const char *name, const char *text)
{
    CLEANUP_BUF struct buf out = buf_of(ASK_EVENT_MAX);
    struct json_writer w;

    begin(&w, &out, id, event);
    json_member_str(&w, name, text);
    finish(&w, &out);
}

static void
emit_wanted(int64_t id, const struct want *c)
{
    const struct model_wanted call = want_view(c);
    CLEANUP_BUF struct buf out = buf_of(ASK_EVENT_MAX);
    struct json_writer w;

    begin(&w, &out, id, "wanted");
    json_key(&w, "call");
    ask_put_wanted(&call, &w);
    finish(&w, &out);
}

void
emit_answer(int64_t id, const struct draft *r, int64_t ms)
{
    CLEANUP_BUF struct buf out = buf_of(ASK_EVENT_MAX);
    struct json_writer w;

    for (size_t i = 0; i < r->wants.n; i++)
        emit_wanted(id, &r->wants.rows[i]);
    begin(&w, &out, id, "answer");
    if (*r->model)
        json_member_str(&w, "model", r->model);
    json_member_int(&w, "bytes", (int64_t)r->text.len);
    json_member_int(&w, "wanted", (int64_t)r->wants.n);
    json_member_int(&w, "tokens_in", r->tokens_in);
    json_member_int(&w, "tokens_out", r->tokens_out);
    json_member_int(&w, "ms", ms);
    finish(&w, &out);
}

void
emit_failed(int64_t id, const struct err *why, const char *key)
{
    CLEANUP_BUF struct buf out = buf_of(ASK_EVENT_MAX);
    struct json_writer w;
    char text[sizeof(why->text)];

    fault_clean(text, sizeof(text), why->text, key);
    begin(&w, &out, id, "failed");
    json_member_int(&w, "code", why->code);
    json_member_int(&w, "kind", why->kind);
    json_member_str(&w, "text", text);
    finish(&w, &out);
}

void
emit_servers(int64_t id, const char *list, size_t n)
{
    CLEANUP_BUF struct buf out = buf_of(ASK_EVENT_MAX);
    struct json_writer w;

    begin(&w, &out, id, "servers");
    json_key(&w, "servers");
    json_put_raw(&w, list, n);
    finish(&w, &out);
}
