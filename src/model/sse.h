/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sse.h - server-sent events, line by line.
 *
 * Takes what the servers of this field send: comments and keep-alives of
 * several kinds, doubled field names, no blank line before the end. */
#ifndef MODEL_SSE_H
#define MODEL_SSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define SSE_NAME_MAX 64

struct sse {
    char name[SSE_NAME_MAX]; /* of the event that is being read; "" */
    struct buf data;
    bool pending; /* a data line came since the last event */
};

/* max: bytes of one event's data. */
void sse_init(struct sse *s, size_t max);
void sse_done(struct sse *s);

/* One line without its end. 1: an event is complete, in s->name and s->data,
 * until sse_next(); 0: not yet; -1 with ERR_ANSWER: too long. */
int sse_line(struct sse *s, const char *line, size_t n, struct err *e);
/* At the end of the stream: 1 when an event is left. */
int sse_end(const struct sse *s);
void sse_next(struct sse *s); /* forgets the event */

#endif
