/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_chunks.c - decodes a body of the transfer coding "chunked". */
#include "wire/http_chunks.h"

#include <string.h>

#define SIZE_DIGITS 8 /* of a chunk's size: 4 GiB, which no body may have */

/* The size before a chunk, with what extends it. False: it is none. */
static bool
read_chunk_size(struct http_chunks *c)
{
    const char *s = c->line;
    size_t digits = strspn(s, "0123456789abcdefABCDEF");

    if (digits == 0 || digits > SIZE_DIGITS)
        return false;
    c->left = 0;
    for (size_t i = 0; i < digits; i++) {
        char d = s[i];
        unsigned v = d <= '9'   ? (unsigned)(d - '0')
                     : d <= 'F' ? (unsigned)(d - 'A') + 10
                                : (unsigned)(d - 'a') + 10;

        c->left = c->left * 16 + v;
    }
    s += digits;
    if (*s && *s != ';')
        return false;
    for (; *s; s++)
        if (((unsigned char)*s < 0x20 && *s != '\t') || *s == 0x7f)
            return false;
    return true;
}

/* What a whole line means, which stands in c->line without its CR and LF. */
static enum http_chunks_step
take_chunk_line(struct http_chunks *c)
{
    struct http_field field;
    size_t n = c->n_line;

    c->n_line = 0;
    if (c->state == CHUNK_SIZE) {
        if (!read_chunk_size(c))
            return CHUNKS_WRONG;
        c->state = c->left > 0 ? CHUNK_DATA : CHUNK_TRAILER;
    } else if (c->state == CHUNK_END) {
        c->state = CHUNK_SIZE;
        return n == 0 ? CHUNKS_MORE : CHUNKS_WRONG;
    } else if (n == 0) {
        return CHUNKS_WHOLE;
    } else {
        c->trailer += n + 2;
        if (c->trailer > HTTP_TRAILER_MAX ||
            !http_field_read(c->line, n, &field))
            return CHUNKS_WRONG;
    }
    return CHUNKS_MORE;
}

/* The next byte of a line, which ends in CR LF. */
static enum http_chunks_step
take_line_byte(struct http_chunks *c, char byte)
{
    bool cr = c->n_line > 0 && c->line[c->n_line - 1] == '\r';

    if (byte == '\0' || cr != (byte == '\n') ||
        (c->state == CHUNK_END && !cr && byte != '\r') ||
        c->n_line == sizeof(c->line) - 1)
        return CHUNKS_WRONG;
    if (byte != '\n') {
        c->line[c->n_line++] = byte;
        return CHUNKS_MORE;
    }
    c->line[--c->n_line] = '\0';
    return take_chunk_line(c);
}

static enum http_chunks_step
take_chunk_data(struct http_chunks *c, const char *bytes, size_t n,
                size_t *used, struct buf *body)
{
    size_t part = c->left < n ? (size_t)c->left : n;

    *used = part;
    c->left -= part;
    if (c->left == 0)
        c->state = CHUNK_END;
    return buf_add(body, bytes, part) < 0 ? CHUNKS_LARGE : CHUNKS_MORE;
}

enum http_chunks_step
http_chunks_read(struct http_chunks *c, const char *bytes, size_t n,
                 size_t *used, struct buf *body)
{
    enum http_chunks_step step = CHUNKS_MORE;

    *used = 0;
    while (*used < n && step == CHUNKS_MORE) {
        size_t part = 1;

        if (c->state == CHUNK_DATA)
            step = take_chunk_data(c, bytes + *used, n - *used, &part, body);
        else
            step = take_line_byte(c, bytes[*used]);
        *used += part;
        if (step == CHUNKS_MORE && c->state == CHUNK_DATA &&
            c->left > body->max - body->len)
            step = CHUNKS_LARGE;
    }
    return step;
}
