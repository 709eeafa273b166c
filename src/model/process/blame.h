/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blame.h - what went wrong on the way, in one line: what, where, what to
 * do. What a server said for itself is fault.h's. */
#ifndef MODEL_PROCESS_BLAME_H
#define MODEL_PROCESS_BLAME_H

#include "model/process/exchange.h"

/* All return -1. */
int blame_exchange(const struct exchange *x, const char *host,
                   const struct call *c, struct err *e);
int blame_redirect(const char *host, const struct call *c, const char *to,
                   struct err *e);
int blame_total(const char *host, int64_t limit_ms, struct err *e);
/* Puts the place, and what to do, round why an answer is unusable. */
int blame_answer(const char *host, struct err *e);

/* Whether the connection failed in a way that may not last, before anything
 * came of the answer. */
bool blame_is_passing(const struct exchange *x);

#endif
