/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - a command line cut into words as bash cuts it.
 *
 * Reads quoting, operators, redirections, comments and here-documents; it
 * expands nothing, runs nothing and knows no grammar: what a word means is
 * its reader's business. One pass, no recursion; memory in proportion to the
 * line. A line that bash would not read (an open quote, …) gives the words up
 * to there and a fault. */
#ifndef GUARD_WORDS_H
#define GUARD_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum word_kind {
    WORD_PLAIN,    /* a command's name or argument */
    WORD_OPERATOR, /* | |& || & && ; ;; ;& ;;& ( ) { } ! or a newline */
    WORD_REDIRECT, /* text is the operator alone: > >> < << <<- <<< >& … */
    WORD_TARGET,   /* the word after a redirection */
    WORD_HEREDOC,  /* the lines of a here-document, after its newline */
    WORD_COMMENT,
};

#define WORD_QUOTED   0x001u /* '…', "…" or a backslash */
#define WORD_ANSI     0x002u /* $'…': its escapes are decoded in text */
#define WORD_ASSIGN   0x004u /* NAME=…, NAME+=…, NAME[…]=… */
#define WORD_VARIABLE 0x008u /* $x, ${x}, $"…", NAME=(…) */
#define WORD_COMMAND  0x010u /* $(…), `…` */
#define WORD_ARITH    0x020u /* $((…)), $[…], ((…)) */
#define WORD_PROCESS  0x040u /* <(…), >(…) */
#define WORD_GLOB     0x080u /* * ? […] */
#define WORD_BRACE    0x100u /* {a,b}, {1..9} */
#define WORD_TILDE    0x200u /* ~, ~user */
#define WORD_IN_TEST  0x400u /* stands between [[ and ]] */

/* What makes a word something else than its text. */
#define WORD_EXPANDS                                                           \
    (WORD_VARIABLE | WORD_COMMAND | WORD_ARITH | WORD_PROCESS | WORD_GLOB |    \
     WORD_BRACE | WORD_TILDE)

#define WORD_FD_DEFAULT (-1)
#define WORD_FD_NAMED   (-2) /* {name}>file */

struct word {
    enum word_kind kind;
    unsigned flags;
    size_t from, to;  /* bytes of the line; a redirect's descriptor too */
    const char *text; /* after quote removal; expansions as written */
    int fd;           /* of a redirection: the descriptor, or the above */
};

/* A command substitution, or another expansion, of a word. */
struct word_part {
    unsigned flag;    /* the one WORD_ flag that says what it is */
    size_t word;      /* index of the word it stands in */
    size_t from, to;  /* all of it, "$(" to ")" */
    size_t in, in_to; /* what is inside */
};

struct words {
    struct word *v;
    size_t n;
    struct word_part *parts; /* the outermost ones, in reading order */
    size_t n_parts;
    const char *fault; /* NULL, or in words what bash would reject */
    size_t fault_at;
    char *arena; /* where every text lives */
};

#define WORDS_LINE_MAX (256 * 1024) /* far over a plan's 16 KiB commands */

/* 0, or -1 when there is no memory or the line is over WORDS_LINE_MAX. The
 * line may hold any bytes and is not kept. */
int words_split(const char *line, size_t n, struct words *out, struct err *e);
void words_done(struct words *w); /* accepts NULL */

/* Whether the word is its text: nothing in it expands. */
bool word_is_literal(const struct word *w);

/* Whether a word that is not quoted reads exactly so: for reserved words. */
bool word_is(const struct word *w, const char *text);

/* Whether it is this operator ("\n" for a newline). */
bool word_is_op(const struct word *w, const char *text);

#endif
