/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.h - decodes the body of an answer into a response.
 *
 * A body has one of three formats, which its first byte shows: server-sent
 * events, one JSON value a line, or a single JSON value (from a server that
 * does not stream). Limits: 16 MiB in all, 1 MiB for a line or an event. */
#ifndef MODEL_PROVIDER_STREAM_H
#define MODEL_PROVIDER_STREAM_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "model/provider/provider.h"
#include "model/provider/response.h"

#define STREAM_LINE_MAX (1u << 20)

struct stream; /* the decoder and what it has not decoded yet */

/* r is borrowed until stream_free(). */
struct stream *stream_new(const struct provider *p, struct model_response *r,
                          struct err *e);
void stream_free(struct stream *s);
DEFINE_CLEANUP(struct stream, stream_free)

/* Decodes the next bytes of the body. -1: the answer is unusable: ERR_ANSWER,
 * with r->failed set when the server sent an error, or ERR_MODEL for a web
 * page. */
int stream_add(struct stream *s, const char *bytes, size_t n, struct err *e);

/* Decodes what is left at the end of the body. */
int stream_end(struct stream *s, struct err *e);

#endif
