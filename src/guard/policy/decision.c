/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision.c - what the decisions are called. */
#include "guard/policy/policy.h"

const char *
guard_decision_name(enum guard_decision d)
{
    static const char *const names[] = {
        [GUARD_ALLOW] = "allow",
        [GUARD_ASK] = "ask",
        [GUARD_DENY] = "deny",
    };

    return names[d];
}
