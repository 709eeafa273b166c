/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h - writes the events of the model process.
 *
 * ipc.h has their format. Writing never blocks: events wait until the front
 * reads them. While too many wait the output is full: then no text is written,
 * nor an answer, and a query that has more of it to tell takes nothing more
 * from its server. The few other events are written all the same. A write to a
 * front that has ended does nothing. */
#ifndef MODEL_PROCESS_EVENTS_H
#define MODEL_PROCESS_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "model/provider/response.h"

#define EVENTS_TEXT_MAX (64u << 10) /* fits into an event, escaped */

struct events;

/* changed: called when the output is no longer full, or lost. */
struct events *events_new(struct loop *l, int fd, void (*changed)(void *arg),
                          void *arg, struct err *e);
void events_free(struct events *o); /* what waits is lost */
DEFINE_CLEANUP(struct events, events_free)

bool events_are_full(const struct events *o);
/* Nobody reads it any more, or reads nothing of a lot. */
bool events_are_lost(const struct events *o);

/* At most EVENTS_TEXT_MAX bytes of whole characters. */
void events_write_text(struct events *o, int64_t id, const char *p, size_t n);
/* An event without members. */
void events_write_plain(struct events *o, int64_t id, const char *event);
/* An event with one member. */
void events_write_line(struct events *o, int64_t id, const char *event,
                       const char *name, const char *text);
/* The tool calls, then the answer. */
void events_write_answer(struct events *o, int64_t id,
                         const struct model_response *r, int64_t ms);
/* key: is removed from the text; NULL: none. */
void events_write_failed(struct events *o, int64_t id, const struct err *why,
                         const char *key);

/* The lists of models of local servers; list is a JSON array. */
void events_write_servers(struct events *o, int64_t id, const char *list,
                          size_t n);

/* Why the process ends, to standard output, at once: its last event. */
void events_write_last(const struct err *why);

#endif
