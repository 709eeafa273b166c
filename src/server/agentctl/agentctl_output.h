/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_output.h - the last lines that an agent has written. */
#ifndef SERVER_AGENTCTL_AGENTCTL_OUTPUT_H
#define SERVER_AGENTCTL_AGENTCTL_OUTPUT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define AGENTCTL_OUTPUT_LINE_MAX (16u << 10) /* bytes kept of one line */
/* Bytes of a line as JSON, whose every byte may be an escape. */
#define AGENTCTL_OUTPUT_JSON_MAX (6u * AGENTCTL_OUTPUT_LINE_MAX + 256)

enum agentctl_stream { AGENTCTL_STDOUT, AGENTCTL_STDERR };

struct agentctl_output;

/* Keeps so many lines; and 2 KiB for each of them, taken together. */
struct agentctl_output *agentctl_output_new(size_t lines, struct err *e);
void agentctl_output_free(struct agentctl_output *o); /* accepts NULL */
DEFINE_CLEANUP(struct agentctl_output, agentctl_output_free)

/* Adds a line of n bytes, made valid UTF-8 and then cut. */
void agentctl_output_add(struct agentctl_output *o, enum agentctl_stream which,
                         const char *line, size_t n);

size_t agentctl_output_count(const struct agentctl_output *o);
uint64_t agentctl_output_total(const struct agentctl_output *o); /* ever */

/* Appends one line as JSON, `back` lines before the last (0: the last). */
void agentctl_output_put(const struct agentctl_output *o, size_t back,
                         struct buf *out);

/* Appends {"lines":[…],"total":N}, with the last so many; the buffer is to have
 * room for agentctl_output_bytes. */
void agentctl_output_put_last(const struct agentctl_output *o, size_t last,
                              struct buf *out);
size_t agentctl_output_bytes(const struct agentctl_output *o);

/* Appends what was last written on standard error since the line that was the
 * n-th ever, as text of at most max bytes. */
void agentctl_output_put_errors(const struct agentctl_output *o, uint64_t since,
                                size_t max, struct buf *out);

#endif
