/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff.h - reads the source of a manual page line by line.
 *
 * A small part of roff is resolved here: comments, conditions, strings, and
 * macros that the page defines itself. The macros of man(7) and mdoc(7) are
 * returned as macro lines. All work on a page counts against one limit
 * (ROFF_WORK_MAX), so that a hostile page ends early. */
#ifndef OFFLINE_MANUAL_ROFF_H
#define OFFLINE_MANUAL_ROFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define ROFF_ARGS_MAX 32 /* of one macro line; more are dropped */

/* In plain text: an argument's name begins, ends (a page's italics). */
#define ROFF_ARG_ON  '\001'
#define ROFF_ARG_OFF '\002'
#define ROFF_JOIN    '\003' /* at the end of a line: no blank before the next */

/* One line: a macro with its arguments; or text, then macro is NULL and args[0]
 * the line. Its escapes are not resolved yet: see roff_plain(). */
struct roff_line {
    const char *macro;
    const char *args[ROFF_ARGS_MAX];
    size_t n;
};

struct roff;

/* A reader of text[0..n), which must live as long as the reader. NULL without
 * memory. */
struct roff *roff_new(const char *text, size_t n);
void roff_free(struct roff *r); /* accepts NULL */
DEFINE_CLEANUP(struct roff, roff_free)

/* Reads the next line; false at the end. The strings of the line are valid
 * until the next call. */
bool roff_next(struct roff *r, struct roff_line *line);

/* Appends raw text with its escapes resolved: UTF-8 whose only control bytes
 * are tabs and the marks above. `italic`: the text begins in italics. Returns
 * whether it ends in italics. */
bool roff_plain(struct roff *r, const char *raw, bool italic, struct buf *out);

/* The value that .ds gave to a string, "" when there is none. Borrowed. */
const char *roff_string(const struct roff *r, const char *name, size_t n);

#endif
