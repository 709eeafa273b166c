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

enum policy_pin {
    POLICY_PIN_HOLDS, /* or the rule has none */
    POLICY_PIN_ELSEWHERE,
    POLICY_PIN_CHANGED, /* the file holds something else, or is not there */
};

/* For a line that starts in the place and is one call. */
enum policy_pin policy_pin_state(const struct policy_rule *rule,
                                 const struct policy_place *place);

/* Appends the two lines for a script of this line whose text is the whole of
 * what it runs: a shell's, of commands that the tables know, that loses
 * nothing, starts no other file and writes below the directory alone.
 * ERR_INVALID: the line runs what files say, and this cannot be said of it. A
 * line that runs no such thing gets no lines. */
int policy_pin_propose(const struct risk *r, const struct risk_place *where,
                       struct buf *out, struct err *e);

#endif
