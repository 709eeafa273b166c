/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_call.h - whether a rule for commands speaks about a call.
 *
 * A deny or an ask is read widely: what a word may become by expansion counts,
 * an option counts wherever it stands. An allow is read narrowly: only what is
 * certain counts, and only a program whose place is the system's own. */
#ifndef GUARD_POLICY_CALL_H
#define GUARD_POLICY_CALL_H

#include "guard/policy_target.h"

/* For deny and ask. */
bool policy_call_may_be(const struct policy_rule *rule,
                        const struct risk_call *call,
                        const struct policy_place *place);

/* For allow. `facts` are all of the call's, those of its paths too: what is
 * heavier than what the rule's own words do is not covered, unless the rule
 * has every word without a star. `trusting`: programs need not be there. */
bool policy_call_is(const struct policy_rule *rule,
                    const struct risk_call *call, unsigned facts, bool trusting,
                    const struct policy_place *place);

#endif
