/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_evaluate.h - where bash evaluates a text, and what that runs.
 *
 * An expression, a subscript and a name are read by bash when it comes to
 * them: a name stands for its value, which is an expression again, and in its
 * subscripts everything expands. So x='a[$(rm b)]'; echo $((x)) runs rm. What
 * is evaluated must be known; then what it runs is read as if it stood there.
 * Else the line is opaque. */
#ifndef GUARD_RISK_EVALUATE_H
#define GUARD_RISK_EVALUATE_H

#include "guard/risk/risk_state.h"
#include "guard/risk/risk_variable.h"

/* All that a node's words, assignments and redirections evaluate. */
void risk_evaluate_node(struct risk_state *st, const struct risk_frame *f,
                        const struct syntax_node *node);
/* The same of the subscripts in NAME=( … ). */
void risk_evaluate_array(struct risk_state *st, const struct risk_frame *f,
                         const struct syntax_assign *a);

/* An argument of a builtin that evaluates it, RISK_AS_. */
void risk_evaluate_arg(struct risk_state *st, const struct risk_frame *f,
                       const struct risk_arg *a, unsigned as);
/* A value that a variable has; NULL: nobody knows which. */
void risk_evaluate_value(struct risk_state *st, const struct risk_args *value,
                         unsigned as);

/* Whether what an expansion gives is a number, whichever. */
bool risk_is_number(struct risk_state *st, const struct syntax_part *p);
/* Whether a body prints digits and nothing else. NULL: it prints nothing. */
bool risk_prints_number(const struct syntax_node *body);

#endif
