/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_message.c - makes messages of the frames of a WebSocket. */
#include "wire/websocket_message.h"

#include "base/utf8.h"
#include "wire/websocket.h"

void
websocket_reader_init(struct websocket_reader *r, size_t message_bytes,
                      bool client)
{
    *r = (struct websocket_reader){.client = client, .max = message_bytes};
    buf_init(&r->message, message_bytes);
}

void
websocket_reader_done(struct websocket_reader *r)
{
    buf_done(&r->message);
}

void
websocket_reader_drop(struct websocket_reader *r)
{
    buf_done(&r->message);
    r->drops = true;
}

static void
report_fault(struct websocket_piece *out, unsigned status, const char *why)
{
    out->kind = WEBSOCKET_PIECE_FAULT;
    out->status = status;
    out->why = why;
}

static void
end_message(struct websocket_reader *r, char *bytes, size_t n,
            struct websocket_piece *out)
{
    r->in_message = false;
    if (r->drops)
        return;
    if (r->text && !utf8_valid(bytes, n)) {
        report_fault(out, WEBSOCKET_NOT_UTF8, "a text that is no UTF-8");
        return;
    }
    out->kind = WEBSOCKET_PIECE_MESSAGE;
    out->bytes = bytes;
    out->n = n;
    out->text = r->text;
}

/* A data frame may begin: it goes on with the message, or is a new one. */
static bool
check_data_frame(struct websocket_reader *r, struct websocket_piece *out)
{
    const struct websocket_frame *f = &r->frame;

    if (r->in_message != (f->opcode == WEBSOCKET_MORE)) {
        report_fault(out, WEBSOCKET_VIOLATION,
                     r->in_message ? "a message within another one"
                                   : "more of a message that has not begun");
        return false;
    }
    if (f->length > r->max - r->message.len) {
        report_fault(out, WEBSOCKET_TOO_LARGE, "the message is too large");
        return false;
    }
    if (!r->in_message)
        r->text = f->opcode == WEBSOCKET_TEXT;
    r->in_message = true;
    return true;
}

/* Bytes of the data frame at hand. */
static void
take_payload(struct websocket_reader *r, char *bytes, size_t n,
             struct websocket_piece *out)
{
    uint64_t left = r->frame.length - r->taken;
    size_t part = left < n ? (size_t)left : n;

    if (r->frame.masked)
        websocket_frame_mask(bytes, part, r->frame.mask, r->taken);
    out->used += part;
    r->taken += part;
    if (!r->drops && buf_add(&r->message, bytes, part) < 0) {
        report_fault(out, WEBSOCKET_FAILURE, "out of memory");
        return;
    }
    if (r->taken < r->frame.length)
        return;
    r->in_frame = false;
    if (r->frame.fin) {
        out->whole = r->message;
        buf_init(&r->message, r->max);
        end_message(r, out->whole.p, out->whole.len, out);
    }
}

/* A frame begins, with a head of `head` bytes. */
static void
take_frame(struct websocket_reader *r, char *bytes, size_t n, size_t head,
           struct websocket_piece *out)
{
    const struct websocket_frame *f = &r->frame;
    bool control = f->opcode >= WEBSOCKET_CLOSE, whole = f->length <= n - head;
    size_t length = (size_t)f->length;

    if (control && !whole)
        return;
    if (!control && !check_data_frame(r, out))
        return;
    out->used = head;
    if (!control && (!f->fin || r->message.len > 0 || !whole)) {
        r->in_frame = true;
        r->taken = 0;
        if (length == 0)
            take_payload(r, bytes, 0, out);
        return;
    }
    out->used += length;
    if (f->masked)
        websocket_frame_mask(bytes + head, length, f->mask, 0);
    if (!control) {
        end_message(r, bytes + head, length, out);
        return;
    }
    out->kind = WEBSOCKET_PIECE_CONTROL;
    out->opcode = f->opcode;
    out->bytes = bytes + head;
    out->n = length;
}

void
websocket_reader_take(struct websocket_reader *r, char *bytes, size_t n,
                      struct websocket_piece *out)
{
    const char *why;
    int head;

    *out = (struct websocket_piece){.kind = WEBSOCKET_PIECE_PART};
    if (r->in_frame) {
        take_payload(r, bytes, n, out);
        return;
    }
    head = websocket_frame_read(bytes, n, &r->frame, &why);
    if (head < 0)
        report_fault(out, WEBSOCKET_VIOLATION, why);
    else if (head > 0 && r->frame.masked == r->client)
        report_fault(out, WEBSOCKET_VIOLATION,
                     r->client ? "a masked frame of a server"
                               : "a frame that is not masked");
    else if (head > 0)
        take_frame(r, bytes, n, (size_t)head, out);
}
