/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_brace.h - {a,b}: one argument becomes several. */
#ifndef GUARD_RISK_BRACE_H
#define GUARD_RISK_BRACE_H

#include "guard/risk/risk_state.h"

/* Appends what the braces in a's text make of it. What is too much, or a
 * range ({1..9}), stays one argument: a pattern. */
void risk_brace(struct risk_state *st, const struct risk_arg *a,
                struct risk_args *out);

#endif
