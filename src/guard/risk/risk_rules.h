/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_rules.h - a call and the stanza that is being applied to it. */
#ifndef GUARD_RISK_RULES_H
#define GUARD_RISK_RULES_H

#include "guard/risk/risk_run.h"

struct risk_applying {
    struct risk_state *st;
    const struct risk_frame *frame;
    const struct risk_parsed *p;
    bool remotes; /* host:path is no path of ours */
    bool near;    /* all hosts that were named are this machine */
    bool vouched; /* it only reads and prints, or runs what was read */
};

/* risk_when.c: whether a line's if, unless and when hold. */
bool risk_rule_holds(struct risk_applying *a, const struct program_rule *r);

#endif
