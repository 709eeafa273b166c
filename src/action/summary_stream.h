/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary_stream.h - decodes the text of an answer while its JSON streams.
 *
 * Reads the bytes of an AiAction. After `"kind": "answer_only"` it decodes the
 * characters of `"summary"` as they come, so that a person can read along.
 * This is only for display: the whole answer is checked at its end. Where the
 * members come in another order, or the answer is not bare JSON, no text
 * comes. */
#ifndef ACTION_SUMMARY_STREAM_H
#define ACTION_SUMMARY_STREAM_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

struct summary_stream;

typedef void summary_stream_cb(void *arg, const char *bytes, size_t n);

/* cb gets pieces of UTF-8, with whole characters. */
struct summary_stream *summary_stream_new(summary_stream_cb *cb, void *arg,
                                          struct err *e);
void summary_stream_free(struct summary_stream *s);
DEFINE_CLEANUP(struct summary_stream, summary_stream_free)

/* Adds bytes of the answer; the text in them goes to the callback. */
void summary_stream_add(struct summary_stream *s, const char *bytes, size_t n);

#endif
