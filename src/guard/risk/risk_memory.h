/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_memory.h - where the findings live, within bounds.
 *
 * All may give NULL (or "") when there is no more: st->full or st->no_memory
 * then says so, and the line ends as opaque. */
#ifndef GUARD_RISK_MEMORY_H
#define GUARD_RISK_MEMORY_H

#include "guard/risk/risk_state.h"

void *risk_alloc(struct risk_state *st, size_t n);
const char *risk_copy(struct risk_state *st, const char *s, size_t n);
const char *risk_join(struct risk_state *st, const char *a, const char *b);
/* Reads a text that is kept with the rest; NULL: no more, or too big. */
const struct syntax *risk_parse(struct risk_state *st, const char *text);
/* The line is read once more: what was parsed so far does not count. */
void risk_parse_again(struct risk_memory *m); /* accepts NULL */
struct risk_arg *risk_args_add(struct risk_state *st, struct risk_args *a);
void risk_memory_free(struct risk_memory *m);

/* Says facts of the call that is being read, each with this reason, whose
 * fact and text are filled in; one that says "" is said without a reason. Its
 * texts live as long as the findings. */
void risk_report(struct risk_state *st, unsigned facts, struct risk_reason why);
/* The same of what nobody could read: opaque and destructive. `says` is a
 * sentence of its own. */
void risk_report_opaque(struct risk_state *st, struct risk_reason why);
/* The same, of RISK_KIND_PROGRAM and of RISK_KIND_UNREAD. */
void risk_say(struct risk_state *st, unsigned facts, size_t from, size_t to,
              const char *name, const char *what);
void risk_say_opaque(struct risk_state *st, size_t from, size_t to,
                     const char *what);
struct risk_call *risk_add_call(struct risk_state *st);
struct risk_path *risk_add_path(struct risk_state *st);
void risk_add_host(struct risk_state *st, struct risk_host host);

#endif
