/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_lines.h - makes lines of what several hosts write at the same time.
 *
 * Each line begins with the name of its host. A line that does not end is given
 * in pieces, so that little is kept. */
#ifndef UI_HOST_LINES_H
#define UI_HOST_LINES_H

#include <stdbool.h>

#include "action/host_list.h"

struct host_lines;

/* A line with its name and its newline, of standard output or standard error.
 */
typedef void host_lines_cb(void *arg, bool err, const char *line, size_t n);

/* The hosts are borrowed. */
struct host_lines *host_lines_new(const struct host_list *hosts,
                                  host_lines_cb *cb, void *arg, struct err *e);
void host_lines_free(struct host_lines *l); /* accepts NULL */

/* Adds bytes that a host wrote. */
void host_lines_add(struct host_lines *l, const char *host, bool err,
                    const char *bytes, size_t n);

/* The host writes no more: what it left open is a line. */
void host_lines_end(struct host_lines *l, const char *host);

#endif
