/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linebuf.h - split a byte stream from a peer into lines.
 *
 * Holds at most max + 1 bytes: a peer that never sends a newline gets
 * ERR_PEER, not our memory. Lines end in LF; a CR before it is dropped. */
#ifndef BASE_LINEBUF_H
#define BASE_LINEBUF_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

struct linebuf; /* opaque: bytes received and not yet handed out */

struct linebuf *linebuf_new(size_t max, struct err *e);
void linebuf_free(struct linebuf *lb);
DEFINE_CLEANUP(struct linebuf, linebuf_free)

/* Reads once from fd. Returns bytes read, 0 at the end of the stream, -1 with
 * e->sys EAGAIN when nothing is there (fd is non-blocking), -1 with ERR_PEER
 * when a line is longer than max. Call linebuf_next until NULL before the
 * next read. */
long linebuf_read(struct linebuf *lb, int fd, struct err *e);

/* The same from memory: for parsers and tests. */
int linebuf_add(struct linebuf *lb, const void *bytes, size_t n, struct err *e);

/* After ERR_PEER, for a peer that is told so and may go on: the long line is
 * dropped, and so is what is still to come of it. */
void linebuf_skip(struct linebuf *lb);

/* Next complete line without its newline, *len its length (it may hold NUL),
 * or NULL when there is none yet. The pointer belongs to lb and is valid
 * until the next linebuf_ call. */
const char *linebuf_next(struct linebuf *lb, size_t *len);

/* What is left without a newline: the last line after the end of a stream.
 * NULL when nothing is left. */
const char *linebuf_rest(struct linebuf *lb, size_t *len);

#endif
