/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_word.h - a word of the tree: its pieces, and what is true of it. */
#ifndef GUARD_SYNTAX_WORD_H
#define GUARD_SYNTAX_WORD_H

#include <stdbool.h>
#include <stddef.h>

struct syntax_node;

enum syntax_part_kind {
    SYNTAX_TEXT,        /* text: the bytes, quotes removed */
    SYNTAX_PARAMETER,   /* text: the name (x, 1, @, x[0], #x, !x); op */
    SYNTAX_COMMAND,     /* $(…), `…`: body */
    SYNTAX_PROCESS_IN,  /* <(…): body */
    SYNTAX_PROCESS_OUT, /* >(…): body */
    SYNTAX_EXPRESSION,  /* $((…)), $[…]: text is what is inside */
    SYNTAX_GLOB,        /* * ? […] @(…): text as written */
    SYNTAX_BRACE,       /* {a,b} {1..9}: text as written */
    SYNTAX_TILDE,       /* ~ or ~user at the start: text as written */
};

/* What is true of a word as a whole. */
#define SYNTAX_QUOTED   0x01u /* some of it is in quotes or behind \ */
#define SYNTAX_ANSI     0x02u /* some of it is $'…' */
#define SYNTAX_EXPANDS  0x04u /* it has a part other than SYNTAX_TEXT */
#define SYNTAX_PATTERN  0x08u /* a SYNTAX_GLOB or SYNTAX_BRACE among them */
#define SYNTAX_RUNS     0x10u /* a body among them, at any depth */
#define SYNTAX_OPERATOR 0x20u /* in [[ … ]]: an operator, no operand */

/* What is nested deeper than this is written with its first 64 bytes only,
 * so that all texts together stay in proportion to the line. */
#define SYNTAX_WRITTEN_MAX   16
#define SYNTAX_WRITTEN_BYTES 64

/* A piece of a word. */
struct syntax_part {
    enum syntax_part_kind kind;
    bool quoted;      /* stands in '…', "…", $'…' or behind a backslash */
    size_t from, to;  /* bytes of the line */
    const char *text; /* see the kinds; never NULL; "" of what has a body */
    const char *op;   /* of ${name…}: what follows the name; of [index]=
                         that is an expression: "["; else "" */
    size_t inside;    /* where an expression's text or an op begins in the
                         line; 0: it stands nowhere in the line as it is */
    struct syntax_node *body; /* what runs; NULL when it is empty */
    struct syntax_part *kids; /* expansions inside ${…}, $((…)), a pattern */
    struct syntax_part *next;
};

struct syntax_word {
    size_t from, to;
    unsigned flags;
    const char *text;          /* quotes removed; expansions as written, but
                                  see SYNTAX_WRITTEN_MAX */
    size_t len;                /* of text, which never holds a NUL inside */
    struct syntax_part *parts; /* in order; none: an empty word ('') */
    struct syntax_word *next;
};

/* Whether a word is its text and nothing else. */
bool syntax_word_is_literal(const struct syntax_word *w);

#endif
