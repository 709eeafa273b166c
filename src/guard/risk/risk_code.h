/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_code.h - one piece of code of another language, being searched. */
#ifndef GUARD_RISK_CODE_H
#define GUARD_RISK_CODE_H

#include "guard/risk/risk_code_table.h"
#include "guard/risk/risk_run.h"

struct risk_code {
    struct risk_state *st;
    struct risk_frame *frame;
    const struct code_language *language;
    const struct risk_arg *arg;
    const char *text;
    bool connects, executes;
    const char *blank; /* the same length, strings and comments as blanks */
};

/* risk_code_call.c: a call was found; behind: in blank, after its name. */
void risk_code_apply(struct risk_code *c, const struct code_row *row,
                     const char *behind);
void risk_code_opaque(struct risk_code *c);

/* risk_code_file.c: a call that opens or writes a file; at: in text, behind
 * its name. */
void risk_code_file(struct risk_code *c, const struct code_row *row,
                    const char *at);

/* Reports code that calls what no table and no list knows. */
void risk_code_names(struct risk_code *c);

#endif
