/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_awk.h - inside explain_awk.c: reading awk's language. */
#ifndef OFFLINE_EXPLAIN_AWK_H
#define OFFLINE_EXPLAIN_AWK_H

#include "offline/explain/explain_language.h"

struct awk_text {
    const char *p; /* into the program */
    size_t n;
};

/* A program of one rule for lines, of END, or of both. */
struct awk_program {
    struct awk_text where, body; /* where.p NULL: no rule; body.p NULL: it
                                    only says which lines */
    struct awk_text end;         /* p NULL: none */
    bool writes_line;            /* {…} 1: the line follows what body does */
};

/* explain_awk_rule.c: false where a program is more than that. A BEGIN that
 * only sets separators says nothing and is left out. */
bool awk_read(const char *text, struct awk_program *out);

/* explain_awk_line.c. *p moves behind what was read, and blanks after it. */
bool awk_skip(const char **p, const char *word);
/* Texts between the things that a print names, and commas. */
void awk_skip_texts(const char **p, const char *end);
/* How long the name at p is; 0: there is none. */
size_t awk_name_length(const char *p);
/* Appends "field 1" for $1, and its like. */
bool awk_say_field(const char **p, struct buf *out);
/* The same for all that a print, which is the whole body, names. */
bool awk_say_print(const struct awk_text *body, struct buf *out);
/* Appends which lines: ", only those that match x"; nothing for all. */
void awk_say_where(const struct awk_text *t, struct buf *out);
/* The same behind what is shown of each of them: " where $3>9". */
void awk_say_condition(const struct awk_text *t, struct buf *out);

#endif
