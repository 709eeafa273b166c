/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_match.h - decides whether a rule for commands matches a call.
 *
 * Deny and ask match when the call may be what the rule names: every word that
 * an expansion could produce counts, and an option counts wherever it stands.
 * Allow matches only when the call certainly is it, and when its program is the
 * system's own. */
#ifndef GUARD_POLICY_POLICY_MATCH_H
#define GUARD_POLICY_POLICY_MATCH_H

#include "guard/policy/policy_target.h"

/* Whether a deny or an ask matches. */
bool policy_match_possible(const struct policy_rule *rule,
                           const struct risk_call *call,
                           const struct policy_context *ctx);

/* Whether the call runs a builtin of the shell, or a program in a directory of
 * the system that only root can have put there. */
bool policy_match_is_system_program(const struct risk_call *call);

#define POLICY_VETTED_MAX 64 /* words that have a bit in `vetted` */

/* A call, and what is known of it beyond its words. */
struct policy_match_call {
    const struct risk_call *call;
    unsigned facts;  /* of the call and of the files that it names */
    uint64_t vetted; /* a bit for each word that is a pattern and matches no
                        option now */
    bool trusting;   /* programs need not be installed */
};

/* Whether an allow matches. A call that does worse than the words of the rule
 * do by themselves is not covered, unless the rule spells out every word
 * without a star. */
bool policy_match_certain(const struct policy_rule *rule,
                          const struct policy_match_call *c,
                          const struct policy_context *ctx);

#endif
