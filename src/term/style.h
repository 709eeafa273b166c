/* SPDX-License-Identifier: GPL-3.0-or-later */
/* style.h - roles of text and symbols, as this terminal can show them.
 *
 * Callers say what a piece of text is; whether that is a colour, and which,
 * is decided here. Only the terminal's own 16 colours are used: they are the
 * ones that its owner has chosen to be readable. */
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
    STYLE_DIM, /* beside the point: model, tokens, seconds */
    STYLE_GOOD,
    STYLE_WARNING, /* destructive, privileged */
    STYLE_ERROR,
    STYLE_HOSTILE, /* an escape of escape.h */
    STYLE_N
};

enum symbol {
    SYMBOL_DOT,      /* between facts: "a · b" */
    SYMBOL_ELLIPSIS, /* one column or, without UTF-8, two */
    SYMBOL_BULLET,
    SYMBOL_RULE, /* one column of a horizontal line */
    SYMBOL_BAR,  /* left of a quotation */
    SYMBOL_GOOD,
    SYMBOL_BAD,
    SYMBOL_DENIED, /* a no, of a person or of the rules */
    SYMBOL_CHOICE, /* left as it is: neither good nor bad */
    SYMBOL_N
};

/* The sequence that begins a role; "" where the terminal has no colour. t may
 * be NULL: plain text. */
const char *style_on(const struct term *t, enum style s);
/* The sequence that ends this role and leaves one around it on, or "". */
const char *style_off(const struct term *t, enum style s);

/* Appends text in a role. The bytes are ours or already escaped. */
void style_add(struct buf *out, const struct term *t, enum style s,
               const char *text, size_t n);
void style_str(struct buf *out, const struct term *t, enum style s,
               const char *text);

/* UTF-8, or ASCII where the locale has no other. */
const char *style_symbol(const struct term *t, enum symbol s);

#endif
