/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_expand.h - words as a program would get them, as far as is known. */
#ifndef GUARD_RISK_EXPAND_H
#define GUARD_RISK_EXPAND_H

#include "guard/risk/risk_variable.h"

/* Appends what a word becomes: one argument, or several (unquoted values of
 * variables, arrays, braces), or none. */
void risk_expand(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_word *w, struct risk_args *out);

/* The bytes of the line for a place in this frame's text. */
size_t risk_from(const struct risk_frame *f, size_t from);
size_t risk_to(const struct risk_frame *f, size_t to);

#endif
