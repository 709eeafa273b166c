/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_nested.h - one line of a stanza that is about what a call runs. */
#ifndef GUARD_RISK_NESTED_H
#define GUARD_RISK_NESTED_H

#include "guard/risk/risk_run.h"

struct risk_nested {
    struct risk_state *st;
    const struct risk_parsed *p;
    const struct program_rule *rule;
    struct risk_frame inner; /* where what is run is read */
    bool feeds; /* words come from standard input too (xargs, fd) */
};

/* risk_source.c: standard input is code of that language. */
void risk_read_input(struct risk_nested *n, const char *language);
/* Files of code. */
void risk_load(struct risk_nested *n);

#endif
