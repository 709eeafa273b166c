/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_call.h - whether a rule for commands speaks about a call.
 *
 * A deny or an ask is read widely: what a word may become by expansion counts,
 * an option counts wherever it stands. An allow is read narrowly: only what is
 * certain counts, and only a program whose place is the system's own. */
#ifndef GUARD_POLICY_CALL_H
#define GUARD_POLICY_CALL_H

#include "guard/policy/policy_target.h"

/* For deny and ask. */
bool policy_call_may_be(const struct policy_rule *rule,
                        const struct risk_call *call,
                        const struct policy_place *place);

/* Whether what runs is a program of the system's own, which nobody but root
 * can have put there, or a builtin of the shell. */
bool policy_call_is_own(const struct risk_call *call);

#define POLICY_VETTED_MAX 64 /* words that `vetted` has a bit for */

/* A call, and what is known of it beyond its words. */
struct policy_call {
    const struct risk_call *call;
    unsigned facts;  /* those of its files too */
    uint64_t vetted; /* words that are patterns, and mean no option now */
    bool trusting;   /* programs need not be there */
};

/* For allow. What is heavier than what the rule's own words do is not covered,
 * unless the rule has every word without a star. */
bool policy_call_is(const struct policy_rule *rule, const struct policy_call *c,
                    const struct policy_place *place);

#endif
