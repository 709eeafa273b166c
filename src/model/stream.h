/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.h - the bytes of an answer's body, on their way to a draft.
 *
 * Knows the three forms in which an answer comes: server-sent events, one
 * JSON value a line, and one JSON value in all (from a server that does not
 * stream). Which one it is shows at its first byte. Bounds: 16 MiB in all,
 * 1 MiB a line and an event. */
#ifndef MODEL_STREAM_H
#define MODEL_STREAM_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "model/draft.h"
#include "model/provider.h"

#define STREAM_LINE_MAX (1u << 20)

struct stream;

/* r stays the caller's and must outlive the stream. */
struct stream *stream_new(const struct provider *p, struct draft *r,
                          struct err *e);
void stream_free(struct stream *s);
DEFINE_CLEANUP(struct stream, stream_free)

/* The next bytes of the body. -1: the answer is unusable, ERR_ANSWER, or
 * r->faulty when the server said why; ERR_MODEL for a web page. */
int stream_add(struct stream *s, const char *bytes, size_t n, struct err *e);

/* The body has ended. */
int stream_end(struct stream *s, struct err *e);

#endif
