/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff.h - the lines of a manual page, conditions and macros resolved.
 *
 * A small part of roff: comments, conditions, strings, macros that the page
 * defines for itself. What man(7) and mdoc(7) define is handed out as a macro
 * line. Hostile pages end early: every loop counts against one bound. */
#ifndef OFFLINE_ROFF_H
#define OFFLINE_ROFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define ROFF_ARGS_MAX 32 /* of one macro line; more are dropped */

/* In plain text: an argument's name begins, ends (a page's italics). */
#define ROFF_ARG_ON  '\001'
#define ROFF_ARG_OFF '\002'
#define ROFF_JOIN    '\003' /* at a line's end: no blank before the next */

/* One line: a macro with its arguments, or text (macro is NULL, args[0] the
 * line). Escapes are still in it: roff_plain resolves them. */
struct roff_line {
    const char *macro;
    const char *args[ROFF_ARGS_MAX];
    size_t n;
};

struct roff;

/* Reads text[0..n), which must live as long as the reader. NULL: no memory. */
struct roff *roff_new(const char *text, size_t n);
void roff_free(struct roff *r);
DEFINE_CLEANUP(struct roff, roff_free)

/* Next line; false at the end. Its strings live until the next call. */
bool roff_next(struct roff *r, struct roff_line *line);

/* Appends raw text with its escapes resolved: UTF-8 without control bytes but
 * tabs and the marks above. `italic` is the font it begins in; returns the one
 * it ends in. */
bool roff_plain(struct roff *r, const char *raw, bool italic, struct buf *out);

/* What .ds gave the string of that name, "" for none. Borrowed. */
const char *roff_string(const struct roff *r, const char *name, size_t n);

#endif
