/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_bashism.h - what bash reads in one way and other shells in another.
 *
 * A text for sh, dash, zsh is read here as bash reads it. Where it has what
 * only bash has (dash takes [[ for a command, (( for two parentheses, $' for a
 * dollar and a quote), who knows what that shell makes of it. */
#ifndef GUARD_RISK_BASHISM_H
#define GUARD_RISK_BASHISM_H

#include "guard/risk/risk_state.h"

/* Says of a node that stands in a text for another shell than bash that it
 * cannot be read, when it cannot. */
void risk_bashism(struct risk_state *st, const struct risk_frame *f,
                  const struct syntax_node *node);

#endif
