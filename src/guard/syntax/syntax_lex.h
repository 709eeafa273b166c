/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_lex.h - inside syntax.c: words, quotes and expansions.
 *
 * A word, "…", ${…}, $((…)), […] of an index, @(…) and the body of a
 * here-document are all read by one step; a rule says how they differ. What
 * expands becomes a part of the frame, and of the frame below when that one
 * ends. */
#ifndef GUARD_SYNTAX_LEX_H
#define GUARD_SYNTAX_LEX_H

#include "guard/syntax/syntax_parse.h"

/* How a word is read, and what may expand in it. */
#define SYNTAX_LEX_DECLARES  0x01u /* NAME=(…) may stand in it */
#define SYNTAX_LEX_DELIMITER 0x02u /* of a here-document: nothing expands */
#define SYNTAX_LEX_VALUE     0x04u /* no patterns, no braces */
#define SYNTAX_LEX_ASSIGNED  0x08u /* a ~ counts behind : too */
#define SYNTAX_LEX_PATTERN   0x10u /* no braces */
#define SYNTAX_LEX_REGEX     0x20u /* ( and | are characters */
#define SYNTAX_LEX_STRIP     0x40u /* tabs in front of lines are dropped */
#define SYNTAX_LEX_HEADER    0x80u /* of for ((: three parts */

/* Leaves a word in p->word; NULL when there are no bytes at all. */
void syntax_word_push(struct parser *p, unsigned mode);

/* A word that begins with what the topmost frame has read so far: name[…]. */
void syntax_word_resume(struct parser *p, struct frame *f);

/* A word of the source's bytes as they stand. */
struct syntax_word *syntax_word_of(struct parser *p, size_t from, size_t to);

/* Behind "((" up to "))": one word, of one SYNTAX_EXPRESSION. */
void syntax_lex_arith_push(struct parser *p, unsigned mode);

/* Whether the "((" at `at` is closed by "))". */
bool syntax_lex_is_arith(struct parser *p, size_t at);
void syntax_lex_arith_room(struct parser *p); /* of a new source, for that */

#define LEX_SINGLE  0x01u /* '…' hides everything */
#define LEX_OPEN    0x02u /* '…' does not hide what expands */
#define LEX_DOUBLE  0x04u /* "…" */
#define LEX_FEW     0x08u /* a backslash hides only $ ` " \ */
#define LEX_PROCESS 0x10u /* <(…) and >(…) */
#define LEX_WORD    0x20u /* ends where a word does */
#define LEX_ARRAY   0x40u /* # may begin a comment; no operators */

struct lex_rule {
    char open, close; /* what nests, and what ends it; NUL: nothing does */
    unsigned flags;
    void (*done)(struct parser *p, struct frame *f);
    const char *fault; /* the end came; NULL: that is no fault */
};

struct frame *syntax_lex_push(struct parser *p, const struct lex_rule *rule);
/* Bytes of the source that are text, and those since f->lex.run. */
void syntax_lex_text(struct parser *p, struct frame *f, size_t from, size_t to,
                     bool quoted);
void syntax_lex_flush(struct parser *p, struct frame *f, size_t to);
struct syntax_part *syntax_lex_part(struct parser *p, struct frame *f,
                                    enum syntax_part_kind kind, size_t from,
                                    size_t to);
const char *syntax_lex_written(struct parser *p, size_t from, size_t to);

/* syntax_quote.c: at a single quote, at "$'", at a backslash. */
void syntax_quote_single(struct parser *p, struct frame *f);
bool syntax_quote_ansi(struct parser *p, struct frame *f);
void syntax_quote_backslash(struct parser *p, struct frame *f);

/* At a $: takes what it begins; false when it is only a character. */
bool syntax_lex_dollar(struct parser *p, struct frame *f);

/* At "$(", "<(", ">(" or a backtick; behind the "${" of ${ a; } and ${| a; },
 * which began at `from`. */
void syntax_body_push(struct parser *p, enum syntax_part_kind kind);
void syntax_body_braces(struct parser *p, size_t from);
void syntax_body_backtick(struct parser *p, struct frame *f);

/* Marks the patterns, braces and tilde of the parts of a word. */
void syntax_mark(struct parser *p, struct frame *f);

/* The parts of a frame that kept its text, as a word. NULL: no memory. */
struct syntax_word *syntax_word_make(struct parser *p, struct frame *f);

#endif
