/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linebuf.h - splits a byte stream from a peer into lines.
 *
 * A line has at most max bytes: a peer that never sends a newline gets ERR_PEER
 * and cannot fill our memory. Lines end in LF; a CR before it is removed. */
#ifndef BASE_LINEBUF_H
#define BASE_LINEBUF_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

struct linebuf; /* bytes received and not yet returned */

struct linebuf *linebuf_new(size_t max, struct err *e);
void linebuf_free(struct linebuf *lb);
DEFINE_CLEANUP(struct linebuf, linebuf_free)

/* Reads once from fd. Returns the bytes read; 0 at the end of the stream; -1
 * with e->sys EAGAIN where a non-blocking fd has no data; -1 with ERR_PEER
 * where a line is longer than max. Call linebuf_next until it returns NULL
 * before the next read. */
long linebuf_read(struct linebuf *lb, int fd, struct err *e);

/* Adds bytes from memory: for parsers and tests. */
int linebuf_add(struct linebuf *lb, const void *bytes, size_t n, struct err *e);

/* After ERR_PEER, where the peer may go on: drops the long line, and what is
 * still to come of it. */
void linebuf_skip(struct linebuf *lb);

/* The next complete line without its newline, *len bytes (it may contain NUL),
 * or NULL when there is none yet. The pointer belongs to lb and is valid until
 * the next call. */
const char *linebuf_next(struct linebuf *lb, size_t *len);

/* The rest without a newline: the last line, after the end of the stream. NULL
 * when nothing is left. */
const char *linebuf_rest(struct linebuf *lb, size_t *len);

#endif
