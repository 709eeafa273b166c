/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling_in.h - inside spelling*.c: a tag, while it is read. */
#ifndef OFFLINE_SPELLING_IN_H
#define OFFLINE_SPELLING_IN_H

#include "offline/manual/spelling.h"

struct spelling_reader {
    const char *p;
    bool whole, bad; /* bad: `whole`, and something else stands there */
    struct spelling *out;
    size_t n;
};

/* One of roff.h's. */
bool spelling_is_mark(char c);

/* What p points to, blanks and marks of roff.h passed over. */
const char *spelling_skip_marks(const char *p);
const char *spelling_skip_blanks(const char *p);

/* Whether the word at p is this one, alone. */
bool spelling_is_word(const char *p, const char *word);
/* Whether an option begins at p. */
bool spelling_begins_option(const char *p);
/* How many dots of an ellipsis are there. */
size_t spelling_dots_at(const char *p);

/* spelling_value.c: where the value at p ends. */
const char *spelling_value_end(const char *p);
/* Takes the value at r->p for that option; or what follows its name. */
void spelling_take_value(struct spelling_reader *r, struct spelling *s,
                         enum option_takes takes);
void spelling_take_argument(struct spelling_reader *r, struct spelling *s);

#endif
