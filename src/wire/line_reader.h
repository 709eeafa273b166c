/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_reader.h - hands out the lines that a peer sends, from the loop.
 *
 * For peers that send one message a line. Many connections share one buffer to
 * read into (read_buffer.h): a line that lies whole in it is handed out from
 * there, and only the beginning of a line whose rest is still to come is kept,
 * in memory of its own. So a connection without input costs some hundred bytes,
 * and none costs more than max bytes and one buffer. A flood of input starves
 * nobody: there is one read a turn, and after LINE_READER_HOLD_MS of work the
 * lines that remain wait for the next. Lines end in LF; a CR before it is
 * removed. */
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
     * known; the rest of the line is skipped, and the next is handed out. */
    void (*too_long)(void *arg);
    /* The input has ended: nothing is called any more. rest, of n bytes, is the
     * last line when it has no newline, and otherwise NULL. why is NULL at the
     * end of the stream, or says why it cannot be read. */
    void (*end)(void *arg, char *rest, size_t n, const struct err *why);
    /* The peer sends no more: called once, also while the reader is paused,
     * when what it sent before may not have been read. NULL: nobody asks. */
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

/* What comes is sealed, by t, which outlives the reader and may be NULL. */
void line_reader_use_tls(struct line_reader *r, struct tls *t);

/* Changes the most bytes of a line, from the next one on. */
void line_reader_limit(struct line_reader *r, size_t max);

/* What comes from now on may hold a key: what was read is wiped once it has
 * been handed out. */
void line_reader_keep_secret(struct line_reader *r);

/* Within `line`: takes over the memory of the line that is handed out, for who
 * works on a long one later. False: it has none of its own, and is to be
 * copied; a line of more than READ_BUFFER_BYTES has, but where many came while
 * the reader was paused. */
bool line_reader_take(struct line_reader *r, struct buf *out);

/* Stops reading and handing out, from the next line on, or goes on. What has
 * been read waits; a peer that goes on sending is stopped by its own pipe. */
void line_reader_pause(struct line_reader *r, bool paused);

#endif
