/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_expand.h - expands words into the arguments that a program gets, as far
 * as they are known without running anything. */
#ifndef GUARD_RISK_RISK_EXPAND_H
#define GUARD_RISK_RISK_EXPAND_H

#include "guard/risk/risk_variable.h"

/* Appends the arguments that a word becomes: one, several (unquoted values,
 * arrays, braces) or none. What is not known stays as written and has
 * `known` unset. */
void risk_expand_word(struct risk_state *st, const struct risk_frame *f,
                      const struct syntax_word *w, struct risk_args *out);

#endif
