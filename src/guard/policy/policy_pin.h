/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_pin.h - where, and with which file, a rule for a command holds.
 *
 * Two indented lines below an allow for a command narrow it: `in DIR`, the
 * directory in which it starts, and `with sha256:HEX FILE`, what a file has to
 * hold. A rule that was proposed for a script has both, so that a yes to what
 * the script said is none to what it says later. */
#ifndef GUARD_POLICY_PIN_H
#define GUARD_POLICY_PIN_H

#include "guard/policy/policy_target.h"

/* Reads such a line, of which at is the first word. 1: it is none of the two;
 * -1: it is wrong, or the rule takes none. */
int policy_pin_read(struct policy_rule *rule, const char *at, struct err *e);
void policy_pin_done(struct policy_rule *rule);

/* Whether the rule holds for a line that starts in the place and is this one
 * call. Where the file is a shell's script that the call runs, its text is read
 * as a line is, each time: what it would lose now, where it would write now,
 * which programs its names are now. why: room for the reason, in words, where
 * the rule was for this place and does not hold any more; else untouched. */
#define POLICY_PIN_WHY_MAX 240
bool policy_pin_holds(const struct policy_rule *rule,
                      const struct risk_call *call,
                      const struct policy_place *place,
                      char why[POLICY_PIN_WHY_MAX]);

/* Whether the directory's configuration says what else the call runs (hooks,
 * aliases, filters): no rule for it is offered. Where a call only looks,
 * nothing is writable, and these are switched off. */
bool policy_pin_is_directed(const struct risk_call *call);

/* Appends the two lines for a script of this line whose text is the whole of
 * what it runs: a shell's, of commands that the tables know, that loses
 * nothing, starts no other file and writes below the directory alone.
 * ERR_INVALID: the line runs what files say, and this cannot be said of it. A
 * line that runs no such thing gets no lines. */
int policy_pin_propose(const struct risk *r, const struct risk_place *where,
                       struct buf *out, struct err *e);

#endif
