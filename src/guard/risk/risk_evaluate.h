/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_evaluate.h - finds where bash evaluates text, and reads what that runs.
 *
 * bash evaluates arithmetic expressions, array subscripts and some names when
 * it reaches them: a name stands for its value, which is an expression in
 * turn, and everything expands in its subscripts. So x='a[$(rm b)]'; echo
 * $((x)) runs rm. Text that is evaluated has to be known; then what it runs is
 * read as if it stood in the line. Otherwise the line is opaque. */
#ifndef GUARD_RISK_RISK_EVALUATE_H
#define GUARD_RISK_RISK_EVALUATE_H

#include "guard/risk/risk_state.h"
#include "guard/risk/risk_variable.h"

/* Everything that a node's words, assignments and redirections evaluate. */
void risk_evaluate_node(struct risk_state *st, const struct risk_frame *f,
                        const struct syntax_node *node);
/* The subscripts in NAME=( … ). */
void risk_evaluate_array(struct risk_state *st, const struct risk_frame *f,
                         const struct syntax_assign *a);

/* An argument of a builtin that evaluates it; as: RISK_AS_ bits. */
void risk_evaluate_arg(struct risk_state *st, const struct risk_frame *f,
                       const struct risk_arg *a, unsigned as);
/* The value of a variable; NULL: not known. */
void risk_evaluate_value(struct risk_state *st, const struct risk_args *value,
                         unsigned as);

/* Whether an expansion always gives a number. */
bool risk_part_is_number(struct risk_state *st, const struct syntax_part *p);
/* Whether a substitution's body prints digits only. NULL: it prints nothing,
 * which counts. */
bool risk_prints_number(const struct syntax_node *body);

#endif
