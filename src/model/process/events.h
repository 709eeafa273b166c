/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h - writes the events of the model process to its standard output.
 *
 * ipc.h has their format. A write to a front that has ended does nothing: the
 * end shows on standard input. */
#ifndef MODEL_PROCESS_EVENTS_H
#define MODEL_PROCESS_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/provider/response.h"

void events_write_text(int64_t id, const char *p, size_t n);
/* An event without members. */
void events_write_plain(int64_t id, const char *event);
/* An event with one member. */
void events_write_line(int64_t id, const char *event, const char *name,
                       const char *text);
/* The tool calls, then the answer. */
void events_write_answer(int64_t id, const struct model_response *r,
                         int64_t ms);
/* key: is removed from the text; NULL: none. */
void events_write_failed(int64_t id, const struct err *why, const char *key);

/* The lists of models of local servers; list is a JSON array. */
void events_write_servers(int64_t id, const char *list, size_t n);

#endif
