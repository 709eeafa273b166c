/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shown_text.h - finds how much of a text may be shown while it still grows.
 *
 * Only an object at the front of the text, behind blanks and reasoning, is
 * shown as it comes: in it nothing is a mark of reasoning. All other text waits
 * until it is whole, since a mark that comes later may tell that what stands
 * before it was reasoning. */
#ifndef MODEL_PROVIDER_SHOWN_TEXT_H
#define MODEL_PROVIDER_SHOWN_TEXT_H

#include "model/provider/reasoning.h"

enum shown_text_state {
    SHOWN_TEXT_BEFORE, /* nothing but blanks and reasoning yet */
    SHOWN_TEXT_OBJECT, /* in the object */
    SHOWN_TEXT_HELD,   /* behind it, or there is none */
};

/* All zero before the first byte. */
struct shown_text {
    enum shown_text_state state;
    struct reasoning reasoning;
    size_t begin, end; /* what may be shown: offsets in the text */
    size_t depth;      /* of open braces and brackets */
    bool in_string, escaped;
};

/* Reads what the text has more than at the last call; n is all of it. */
void shown_text_read(struct shown_text *s, const char *p, size_t n);

/* Whether some of what was read so far is reasoning. */
bool shown_text_has_reasoning(const struct shown_text *s);

#endif
