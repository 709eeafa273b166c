/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_text.h - strings, comments and patterns in code of other languages. */
#ifndef GUARD_RISK_TEXT_H
#define GUARD_RISK_TEXT_H

#include "guard/risk/risk_code_table.h"
#include "guard/risk/risk_state.h"

/* What the names of these languages are made of. */
bool risk_is_name(char c);

/* The string that begins at *at, which is moved behind it; NULL: none, or one
 * that is built of escapes. */
const char *risk_string(struct risk_state *st, const char *quotes,
                        const char **at);

/* A copy in which strings, comments and patterns are blanks. */
const char *risk_blank(struct risk_state *st, const struct code_language *l,
                       const char *text);

/* What a sed script writes and runs. */
void risk_sed(struct risk_state *st, const struct risk_frame *f,
              const struct risk_arg *a);

/* Statements with one blank for what separates words, comments among it; the
 * commands of the client that do more than show are reported. */
const char *risk_sql(struct risk_state *st, const struct risk_arg *a);

/* What awk's print and getline write and run. */
void risk_awk(struct risk_state *st, const struct risk_frame *f,
              const struct risk_arg *a, const char *blank);

#endif
