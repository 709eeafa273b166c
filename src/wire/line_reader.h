/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_reader.h - splits what a peer sends into lines, on the loop.
 *
 * For peers that send one message per line. Many connections share one
 * buffer to read into (read_buffer.h): a line that is complete in it is
 * passed on from there, and only the beginning of an incomplete line is
 * kept, in memory of its own. So an idle connection costs some hundred
 * bytes, and no connection more than max bytes and one buffer. A flood of
 * input does not starve other connections: there is one read per turn of the
 * loop, and after LINE_READER_HOLD_MS of work the remaining lines wait for
 * the next turn. Lines end in LF; a CR before it is removed. */
#ifndef WIRE_LINE_READER_H
#define WIRE_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "wire/read_buffer.h"
#include "wire/tls.h"

#define LINE_READER_HOLD_MS 2 /* of 5 that a callback may take */

struct line_reader;

/* Any of these may free the reader, or pause it. */
struct line_reader_events {
    /* A line of n bytes without its newline; it may contain NUL, and a NUL
     * follows it. It may be written to, and is valid until this returns. */
    void (*line)(void *arg, char *line, size_t n);
    /* A line is longer than the maximum. Called once for it, as soon as that is
     * known; the rest of the line is skipped. */
    void (*too_long)(void *arg);
    /* The input has ended; no callback follows. rest, of n bytes, is a last
     * line without a newline, or NULL. why is NULL at the end of the stream,
     * else the error of the read. */
    void (*end)(void *arg, char *rest, size_t n, const struct err *why);
    /* The peer has closed its end: called once, also while the reader is
     * paused, when not all input may have been read. May be NULL. */
    void (*left)(void *arg);
};

/* max is the most bytes of a line. The caller keeps the descriptor, and keeps
 * it open until line_reader_free; a regular file is read like a stream. buffer
 * must outlive the reader. Reading begins at the next turn of the loop. */
struct line_reader *line_reader_new(struct loop *l, int fd,
                                    struct read_buffer *buffer, size_t max,
                                    const struct line_reader_events *ev,
                                    void *arg, struct err *e);
void line_reader_free(struct line_reader *r); /* accepts NULL */
DEFINE_CLEANUP(struct line_reader, line_reader_free)

/* The input is encrypted by TLS. t outlives the reader, and may be NULL. */
void line_reader_use_tls(struct line_reader *r, struct tls *t);

/* Changes the most bytes of a line, from the next one on. */
void line_reader_limit(struct line_reader *r, size_t max);

/* Input from now on may hold a key: bytes are wiped once they have been passed
 * on. */
void line_reader_keep_secret(struct line_reader *r);

/* Within the callback `line`: takes over the memory of the line, to work on a
 * long one later. False: it has no memory of its own, and must be copied. A
 * line of more than READ_BUFFER_BYTES has its own, unless many lines came while
 * the reader was paused. */
bool line_reader_take(struct line_reader *r, struct buf *out);

/* Pauses, from the next line on, or resumes. What has been read is kept; a peer
 * that goes on sending is stopped by its full pipe. */
void line_reader_pause(struct line_reader *r, bool paused);

#endif
