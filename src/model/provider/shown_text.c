/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shown_text.c - finds how much of a text may be shown while it still grows. */
#include "model/provider/shown_text.h"

#include <string.h>

/* Outside of strings. Returns whether the byte may stand in JSON. */
static bool
read_structure(struct shown_text *s, char c)
{
    if (c == '"')
        s->in_string = true;
    else if (c == '{' || c == '[')
        s->depth++;
    else if (c == '}' || c == ']')
        s->depth--;
    else
        return c && strchr(" \t\r\n,:+-.0123456789truefalsnE", c);
    return true;
}

static bool
scan_text(struct shown_text *s, char c)
{
    if (s->escaped)
        s->escaped = false;
    else if (c == '\\')
        s->escaped = true;
    else if (c == '"')
        s->in_string = false;
    return (unsigned char)c >= 0x20;
}

/* Reads on to the end of the object, or to a byte that no object has. */
static void
read_object(struct shown_text *s, const char *p, size_t n)
{
    for (; s->end < n && s->state == SHOWN_TEXT_OBJECT; s->end++) {
        char c = p[s->end];

        if (!(s->in_string ? scan_text(s, c) : read_structure(s, c))) {
            s->state = SHOWN_TEXT_HELD;
            return;
        }
        if (s->depth == 0)
            s->state = SHOWN_TEXT_HELD;
    }
}

void
shown_text_read(struct shown_text *s, const char *p, size_t n)
{
    if (s->state == SHOWN_TEXT_BEFORE &&
        reasoning_skip(&s->reasoning, p, n, &s->begin)) {
        s->end = s->begin;
        s->state = p[s->begin] == '{' ? SHOWN_TEXT_OBJECT : SHOWN_TEXT_HELD;
    }
    if (s->state == SHOWN_TEXT_OBJECT)
        read_object(s, p, n);
}

bool
shown_text_has_reasoning(const struct shown_text *s)
{
    return s->reasoning.n_open > 0 || s->reasoning.harmony != HARMONY_NONE;
}
