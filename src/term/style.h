/* SPDX-License-Identifier: GPL-3.0-or-later */
/* style.h - styles of text and symbols, as the terminal can show them.
 *
 * A caller says what a piece of text is; this file decides whether it has a
 * colour, and which. Only the 16 colours of the terminal are used, since its
 * owner has chosen them to be readable. */
#ifndef TERM_STYLE_H
#define TERM_STYLE_H

#include "base/buf.h"
#include "term/term.h"

enum style {
    STYLE_PLAIN,
    STYLE_TITLE,   /* what a plan or an answer is about */
    STYLE_HEADING, /* of a section */
    STYLE_COMMAND, /* what would run */
    STYLE_CODE,    /* code inside text */
    STYLE_KEY,     /* the key of a menu's row */
    STYLE_STRONG,
    STYLE_EMPHASIS,
    STYLE_LINK,
    STYLE_DIM, /* details: model, tokens, seconds */
    STYLE_GOOD,
    STYLE_WARNING, /* destructive, privileged */
    STYLE_ERROR,
    STYLE_HOSTILE, /* an escape of escape.h */
    STYLE_N
};

enum symbol {
    SYMBOL_DOT,      /* between facts, with its blanks: "a · b" */
    SYMBOL_ELLIPSIS, /* one column or, without UTF-8, two */
    SYMBOL_BULLET,
    SYMBOL_RULE, /* one column of a horizontal line */
    SYMBOL_BAR,  /* left of a quotation */
    SYMBOL_GOOD,
    SYMBOL_BAD,
    SYMBOL_DENIED, /* by a person or the policy */
    SYMBOL_CHOICE, /* left as it is: neither good nor bad */
    SYMBOL_N
};

/* The sequence that begins a style; "" without colour. t may be NULL: plain
 * text. */
const char *style_on(const struct term *t, enum style s);
/* The sequence that ends this style alone, and not one around it; or "". */
const char *style_off(const struct term *t, enum style s);

/* Appends text in a style. The bytes are ours or already escaped. */
void style_add(struct buf *out, const struct term *t, enum style s,
               const char *text, size_t n);
void style_str(struct buf *out, const struct term *t, enum style s,
               const char *text);

/* The symbol in UTF-8, in ASCII where the locale's encoding is another, or the
 * word for it where the terminal is plain. */
const char *style_symbol(const struct term *t, enum symbol s);

#endif
