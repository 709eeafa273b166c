/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_lexer.h - characters, words, quotes and expansions; private to this
 * folder.
 *
 * One step function reads a word, "…", ${…}, $((…)), […] of an index, @(…) and
 * the body of a here-document; a rule says how they differ. An expansion
 * becomes a part of its frame, and of the frame below when that one ends. */
#ifndef GUARD_SYNTAX_SYNTAX_LEXER_H
#define GUARD_SYNTAX_SYNTAX_LEXER_H

#include "guard/syntax/syntax_parse.h"

/* Characters (syntax_lexer.c). All of these skip continued lines, that is a
 * backslash before a newline. */
int syntax_peek(struct syntax_parser *p);
/* The offset behind `text` when it is ahead, else 0. */
size_t syntax_ahead(struct syntax_parser *p, const char *text);
bool syntax_take(struct syntax_parser *p, const char *text); /* consumes it */
int syntax_char_at(const struct syntax_parser *p,
                   size_t at); /* the character at */
size_t syntax_skip_continued(const struct syntax_parser *p, size_t at);
bool syntax_is_metachar(int c); /* ends a word */
bool syntax_is_name_char(int c, bool first);
bool syntax_word_ahead(struct syntax_parser *p);  /* <(…) begins one too */
void syntax_skip_blanks(struct syntax_parser *p); /* and a comment */
bool syntax_take_newline(struct syntax_parser *p);
void syntax_skip_newlines(struct syntax_parser *p); /* and blanks */
bool syntax_keyword_ahead(struct syntax_parser *p, const char *word);
bool syntax_take_keyword(struct syntax_parser *p, const char *word);
size_t syntax_name_end(const struct syntax_parser *p, size_t at);
const char *syntax_copy_name(struct syntax_parser *p, size_t from, size_t to);

/* From an offset in the source to one in the line; they differ in a mapped
 * source, all of which stands for one range. */
size_t syntax_line_offset(const struct syntax_parser *p, size_t at);
size_t syntax_line_offset_to(const struct syntax_parser *p, size_t at);
/* A copy that lives as long as the tree; "" when there is no memory. */
const char *syntax_copy(struct syntax_parser *p, const char *s, size_t n);

/* How a word is read, and what may expand in it. */
#define SYNTAX_LEX_DECLARES  0x01u /* may contain NAME=(…) */
#define SYNTAX_LEX_DELIMITER 0x02u /* of a here-document: nothing expands */
#define SYNTAX_LEX_VALUE     0x04u /* no patterns, no braces */
#define SYNTAX_LEX_ASSIGNED  0x08u /* ~ expands behind : too */
#define SYNTAX_LEX_PATTERN   0x10u /* no braces */
#define SYNTAX_LEX_REGEX     0x20u /* ( and | are ordinary characters */
#define SYNTAX_LEX_STRIP     0x40u /* leading tabs of lines are dropped */
#define SYNTAX_LEX_HEADER    0x80u /* of for ((: three parts */

/* Reads a word into p->word; NULL when there are no bytes at all. */
void syntax_word_push(struct syntax_parser *p, unsigned mode);
/* Turns the topmost frame into a word that begins with what it has read:
 * name[…] that is no assignment. */
void syntax_word_resume(struct syntax_parser *p, struct syntax_frame *f);
/* A literal word of bytes of the source. NULL: no memory. */
struct syntax_word *syntax_word_of(struct syntax_parser *p, size_t from,
                                   size_t to);
/* A word of a frame's parts; the frame must keep its text. NULL: no memory. */
struct syntax_word *syntax_word_make(struct syntax_parser *p,
                                     struct syntax_frame *f);

/* Behind "((": reads up to "))" into p->word, one SYNTAX_EXPRESSION. */
void syntax_arith_push(struct syntax_parser *p, unsigned mode);

/* Whether the "((" at `at` is closed by "))", and so is arithmetic. */
bool syntax_is_arith(struct syntax_parser *p, size_t at);
/* Allocates the cache of that for a new source. */
void syntax_arith_cache_new(struct syntax_parser *p);

#define SYNTAX_RULE_SINGLE  0x01u /* '…' hides everything */
#define SYNTAX_RULE_OPEN    0x02u /* '…' does not hide expansions */
#define SYNTAX_RULE_DOUBLE  0x04u /* "…" */
#define SYNTAX_RULE_FEW     0x08u /* a backslash hides only $ ` " \ */
#define SYNTAX_RULE_PROCESS 0x10u /* <(…) and >(…) */
#define SYNTAX_RULE_WORD    0x20u /* ends where a word does */
#define SYNTAX_RULE_ARRAY   0x40u /* # may begin a comment; no operators */

struct syntax_lex_rule {
    char open, close; /* the pair that nests; close ends it; NUL: none */
    unsigned flags;
    void (*done)(struct syntax_parser *p, struct syntax_frame *f);
    const char *fault; /* the error at the end of the source; NULL: none */
};

struct syntax_frame *syntax_lex_push(struct syntax_parser *p,
                                     const struct syntax_lex_rule *rule);
/* Adds bytes of the source as text; those since f->lex.run. */
void syntax_lex_text(struct syntax_parser *p, struct syntax_frame *f,
                     size_t from, size_t to, bool quoted);
void syntax_lex_flush(struct syntax_parser *p, struct syntax_frame *f,
                      size_t to);
struct syntax_part *syntax_lex_part(struct syntax_parser *p,
                                    struct syntax_frame *f,
                                    enum syntax_part_kind kind, size_t from,
                                    size_t to);
/* Bytes of the source as written, cut as SYNTAX_WRITTEN_MAX says. */
const char *syntax_lex_written(struct syntax_parser *p, size_t from, size_t to);

/* At a single quote, at "$'", at a backslash: consume the quotation. */
void syntax_quote_single(struct syntax_parser *p, struct syntax_frame *f);
bool syntax_quote_ansi(struct syntax_parser *p, struct syntax_frame *f);
void syntax_quote_backslash(struct syntax_parser *p, struct syntax_frame *f);

/* At a $: reads the expansion; false when it is an ordinary character. */
bool syntax_lex_expansion(struct syntax_parser *p, struct syntax_frame *f);

/* Substitutions: at "$(", "<(" or ">("; at a backtick. */
void syntax_substitution_push(struct syntax_parser *p,
                              enum syntax_part_kind kind);
void syntax_substitution_backtick(struct syntax_parser *p,
                                  struct syntax_frame *f);

/* Splits the text parts of a word at patterns, braces and a leading tilde. */
void syntax_mark_patterns(struct syntax_parser *p, struct syntax_frame *f);

#endif
