/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_stream.h - splits an event stream (server-sent events) into events.
 *
 * As the HTML standard has it: lines end in CR, LF or both, a blank line ends
 * an event, what begins with a colon is a comment, and an event that the end of
 * the stream cuts off does not count. The provider's streams are read by
 * model/provider/stream.h, which is more lenient. */
#ifndef WIRE_EVENT_STREAM_H
#define WIRE_EVENT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

#define EVENT_STREAM_ID_MAX 1024 /* bytes of an id; a longer one is ignored */

struct event_stream;

/* An event with data: n bytes, which a NUL follows, valid until this returns.
 * Its lines are joined by LF. type is "" where the stream names none. false:
 * the rest of the stream is not wanted. It must not free the stream. */
typedef bool event_stream_cb(void *arg, const char *type, const char *data,
                             size_t n);

/* max: the most bytes of a line, and of an event's data. */
struct event_stream *event_stream_new(size_t max, event_stream_cb *cb,
                                      void *arg, struct err *e);
void event_stream_free(struct event_stream *s); /* accepts NULL */
DEFINE_CLEANUP(struct event_stream, event_stream_free)

/* Reads the next bytes. 1: an event was the last one wanted; 0: go on; -1,
 * ERR_PEER: a line or an event is larger than the maximum. */
int event_stream_add(struct event_stream *s, const char *bytes, size_t n,
                     struct err *e);

/* The id of the last complete event, with or without data; "": none. */
const char *event_stream_id(const struct event_stream *s);
/* How long to wait before the stream is opened again, as it says, in ms; -1: it
 * does not say. */
int64_t event_stream_retry_ms(const struct event_stream *s);

#endif
