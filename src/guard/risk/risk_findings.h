/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_findings.h - stores what is found out about a line, within bounds.
 *
 * An arena holds the results and all text. Allocations and copies give NULL or
 * "" when a bound is met or there is no memory; st->full or st->no_memory is
 * then set, and the line ends as opaque. */
#ifndef GUARD_RISK_RISK_FINDINGS_H
#define GUARD_RISK_RISK_FINDINGS_H

#include "guard/risk/risk_state.h"

void *risk_alloc(struct risk_state *st, size_t n); /* zeroed */
const char *risk_copy(struct risk_state *st, const char *s, size_t n);
const char *risk_join(struct risk_state *st, const char *a, const char *b);
/* Parses a text; the arena keeps the tree. NULL: a bound is met. */
const struct syntax *risk_parse_text(struct risk_state *st, const char *text);
/* Resets the count of parsed bytes: the line is read once more. */
void risk_parse_reset(struct risk_memory *m); /* accepts NULL */
struct risk_arg *risk_args_add(struct risk_state *st, struct risk_args *a);
void risk_memory_free(struct risk_memory *m); /* accepts NULL */

/* Offsets in the whole line for offsets in this frame's text. */
size_t risk_line_from(const struct risk_frame *f, size_t from);
size_t risk_line_to(const struct risk_frame *f, size_t to);

/* Adds facts to the call that is being read and to the line, each with this
 * reason, whose fact and text are filled in. With says "" the facts have no
 * reason. The texts of `why` have to live as long as the findings. */
void risk_report(struct risk_state *st, unsigned facts, struct risk_reason why);
/* The same for what cannot be read: opaque and destructive. `says` is a
 * sentence of its own. */
void risk_report_opaque(struct risk_state *st, struct risk_reason why);
/* Short forms, of RISK_KIND_PROGRAM and of RISK_KIND_UNREAD. */
void risk_report_program(struct risk_state *st, unsigned facts, size_t from,
                         size_t to, const char *name, const char *what);
void risk_report_unread(struct risk_state *st, size_t from, size_t to,
                        const char *what);
struct risk_call *risk_add_call(struct risk_state *st);
struct risk_path *risk_add_path(struct risk_state *st);
void risk_add_host(struct risk_state *st, struct risk_host host);

#endif
