/* SPDX-License-Identifier: GPL-3.0-or-later */
/* style.c - styles of text and symbols, as the terminal can show them. */
#include "term/style.h"

#include <string.h>

#define SGR(n) "\033[" n "m"

/* Each style is ended by the sequence that undoes it alone (ECMA-48, 8.3.117),
 * so that styles nest. */
static const struct {
    const char *on, *off;
} styles[STYLE_N] = {
    [STYLE_PLAIN] = {"", ""},
    [STYLE_TITLE] = {SGR("1"), SGR("22")},
    [STYLE_HEADING] = {SGR("1;4"), SGR("22;24")},
    [STYLE_COMMAND] = {SGR("36"), SGR("39")},
    [STYLE_CODE] = {SGR("36"), SGR("39")},
    [STYLE_KEY] = {SGR("1"), SGR("22")},
    [STYLE_STRONG] = {SGR("1"), SGR("22")},
    [STYLE_EMPHASIS] = {SGR("3"), SGR("23")},
    [STYLE_LINK] = {SGR("4"), SGR("24")},
    [STYLE_DIM] = {SGR("2"), SGR("22")},
    [STYLE_GOOD] = {SGR("32"), SGR("39")},
    [STYLE_WARNING] = {SGR("33"), SGR("39")},
    [STYLE_ERROR] = {SGR("31"), SGR("39")},
    [STYLE_HOSTILE] = {SGR("7"), SGR("27")},
};

static const struct {
    const char *utf8, *ascii, *plain;
} symbols[SYMBOL_N] = {
    [SYMBOL_DOT] = {" · ", " - ", ", "},
    [SYMBOL_ELLIPSIS] = {"…", "..", "..."},
    [SYMBOL_BULLET] = {"•", "*", "-"},
    [SYMBOL_RULE] = {"─", "-", ""},
    [SYMBOL_BAR] = {"│", "|", ">"},
    [SYMBOL_GOOD] = {"✓", "ok", "ok"},
    [SYMBOL_BAD] = {"✗", "failed", "failed"},
    [SYMBOL_DENIED] = {"⊘", "no", "denied"},
    [SYMBOL_CHOICE] = {"–", "-", "note"},
};

const char *
style_on(const struct term *t, enum style s)
{
    return t && t->color ? styles[s].on : "";
}

const char *
style_off(const struct term *t, enum style s)
{
    return t && t->color ? styles[s].off : "";
}

void
style_add(struct buf *out, const struct term *t, enum style s, const char *text,
          size_t n)
{
    buf_str(out, style_on(t, s));
    buf_add(out, text, n);
    buf_str(out, style_off(t, s));
}

void
style_str(struct buf *out, const struct term *t, enum style s, const char *text)
{
    style_add(out, t, s, text, strlen(text));
}

const char *
style_symbol(const struct term *t, enum symbol s)
{
    if (t && t->plain)
        return symbols[s].plain;
    return t && t->unicode ? symbols[s].utf8 : symbols[s].ascii;
}
