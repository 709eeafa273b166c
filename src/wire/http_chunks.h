/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_chunks.h - decodes a body of the transfer coding "chunked".
 *
 * RFC 9112, 7.1: extensions of chunks and trailer fields are checked, and
 * dropped. */
#ifndef WIRE_HTTP_CHUNKS_H
#define WIRE_HTTP_CHUNKS_H

#include <stdint.h>

#include "wire/http_fields.h"

#define HTTP_CHUNK_LINE_MAX 256 /* bytes of a line before a chunk */
#define HTTP_TRAILER_MAX    (8u << 10)

/* Begins with all zero. */
struct http_chunks {
    enum { CHUNK_SIZE, CHUNK_DATA, CHUNK_END, CHUNK_TRAILER } state;
    uint64_t left;  /* bytes of the chunk */
    size_t trailer; /* bytes of trailer fields so far */
    char line[HTTP_CHUNK_LINE_MAX + 2];
    size_t n_line;
};

enum http_chunks_step { CHUNKS_MORE, CHUNKS_WHOLE, CHUNKS_WRONG, CHUNKS_LARGE };

/* Reads bytes, of which it uses *used, and appends what they carry to body.
 * CHUNKS_LARGE: that is more than its maximum. */
enum http_chunks_step http_chunks_read(struct http_chunks *c, const char *bytes,
                                       size_t n, size_t *used,
                                       struct buf *body);

#endif
