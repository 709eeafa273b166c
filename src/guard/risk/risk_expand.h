/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_expand.h - words as a program would get them, as far as is known. */
#ifndef GUARD_RISK_EXPAND_H
#define GUARD_RISK_EXPAND_H

#include "guard/risk/risk_state.h"

/* Appends what a word becomes: one argument, or several (unquoted values of
 * variables, arrays, braces), or none. */
void risk_expand(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_word *w, struct risk_args *out);

/* The bytes of the line for a place in this frame's text. */
size_t risk_from(const struct risk_frame *f, size_t from);
size_t risk_to(const struct risk_frame *f, size_t to);

/* What a variable may hold; NULL: nothing in the line says. */
const struct risk_variable *risk_variable(const struct risk_state *st,
                                          const char *name, size_t n);
/* value NULL: anything. instead: of what it held before. */
void risk_assign(struct risk_state *st, const char *name, size_t n,
                 struct risk_args *value, bool instead);

/* A lone argument with a text that is known. */
struct risk_args *risk_value(struct risk_state *st, const char *text);

#endif
