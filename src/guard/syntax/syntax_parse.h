/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_parse.h - inside syntax.c: a parser whose stack is its own.
 *
 * Each construct that is being read is a frame. The driver calls the step of
 * the topmost one, which reads on, and either pushes a frame for what stands
 * inside it, or pops itself and leaves what it read in `node` or `word`; the
 * frame below goes on from its state. After a fault the source has ended, so
 * every frame finishes with what it has. */
#ifndef GUARD_SYNTAX_PARSE_H
#define GUARD_SYNTAX_PARSE_H

#include "guard/syntax/syntax_frame.h"

#define SYNTAX_END (-1) /* no more characters */

struct parser {
    struct syntax *out;
    struct syntax_arena *arena;
    struct source src;
    struct frame *top, *spare;
    size_t depth;
    struct syntax_node *last;   /* of out->all */
    struct syntax_node *node;   /* what the frame above has read */
    struct syntax_node *before; /* the one of `all` before it */
    struct syntax_word *word;
    struct syntax_comment **comment; /* where the next one goes */
    struct syntax_node *owner;       /* the command that is being read */
    struct heredoc *pending, *ready; /* without and with their bodies */
    size_t n_pending;
    size_t end;     /* of what was read last, in the source */
    bool reserved;  /* a reserved word may come without a separator */
    bool in_paren;  /* inside $(…) and its like */
    size_t scanned; /* bytes that were read ahead */
    bool nomem;
};

/* syntax_source.c: characters, blanks, places. Continued lines are skipped.
 * A place in the line is that in the source, but for a mapped source. */
int syntax_peek(struct parser *p);
size_t syntax_ahead(struct parser *p, const char *text); /* behind it, or 0 */
bool syntax_take(struct parser *p, const char *text);
int syntax_after(const struct parser *p, size_t at); /* the character there */
bool syntax_is_meta(int c);
bool syntax_word_ahead(struct parser *p); /* <(…) begins one too */
bool syntax_is_name(int c, bool first);
size_t syntax_skip(const struct parser *p, size_t at); /* continued lines */
size_t syntax_name_end(const struct parser *p, size_t at);
const char *syntax_name_text(struct parser *p, size_t from, size_t to);
void syntax_blanks(struct parser *p); /* and a comment */
bool syntax_newline(struct parser *p);
void syntax_newlines(struct parser *p);                  /* and blanks */
bool syntax_keyword(struct parser *p, const char *word); /* is ahead */
bool syntax_take_keyword(struct parser *p, const char *word);
size_t syntax_place(const struct parser *p, size_t at); /* in the line */
size_t syntax_place_to(const struct parser *p, size_t at);
const char *syntax_text(struct parser *p, const char *s, size_t n);

/* syntax.c: n bytes of zeros, for a structure and for text. NULL: there is no
 * memory, and p->nomem now says so, at which the driver stops. */
void *syntax_get(struct parser *p, size_t n);
char *syntax_room(struct parser *p, size_t n);

/* syntax.c: frames and faults. NULL: no memory. */
struct frame *syntax_push(struct parser *p, syntax_step *step, bool nests);
void syntax_pop(struct parser *p);
void syntax_fault(struct parser *p, size_t at, const char *what);
void syntax_unexpected(struct parser *p);

/* Bytes were read before they are parsed. All of that together is bounded, so
 * that nesting cannot make the time grow with more than the line. */
void syntax_scanned(struct parser *p, size_t n);

bool syntax_expect(struct parser *p, const char *text, size_t from,
                   const char *missing);

#endif
