/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_parse.h - the parser's state and its stack of frames; private to
 * this folder.
 *
 * The parser keeps its own stack instead of recursing. Each construct that is
 * open is a frame. The driver in syntax_parse.c calls the step function of the
 * topmost frame, which consumes characters and then either pushes a frame for
 * a construct inside its own, or pops itself and leaves its result in `node`
 * or `word`; the frame below continues in its next state. A syntax error ends
 * the source, so every open frame completes with what it has. */
#ifndef GUARD_SYNTAX_SYNTAX_PARSE_H
#define GUARD_SYNTAX_SYNTAX_PARSE_H

#include "base/arena.h"
#include "guard/syntax/syntax.h"

#define SYNTAX_END          (-1) /* the end of the source, as a character */
#define SYNTAX_HEREDOCS_MAX 16   /* waiting for their bodies; bash's bound */

struct syntax_parser;
struct syntax_frame;
typedef void syntax_step(struct syntax_parser *p, struct syntax_frame *f);

/* The text that is parsed: the line, or a copy of what `…` contains, without
 * its backslashes. */
struct syntax_source {
    const char *s;
    size_t n, at;
    bool mapped; /* a copy, which stands for bytes [from, to) of the line */
    size_t from, to;
    char *arith; /* a byte a character: the cache of syntax_is_arith */
};

/* A here-document whose operator was read. */
struct syntax_pending_heredoc {
    struct syntax_redirect *redirect;
    struct syntax_node *owner;
    bool quoted, strip;   /* quoted: nothing expands; strip: <<- */
    size_t body, body_to; /* of the source, once the body was found */
    struct syntax_pending_heredoc *next;
};

/* Parser state that a substitution or a here-document saves and restores. */
struct syntax_saved {
    struct syntax_source src;
    struct syntax_pending_heredoc *pending, *ready;
    size_t n_pending, end;
    struct syntax_node *owner, *node, *before;
    struct syntax_word *word;
    bool in_paren, reserved;
};

struct syntax_frame {
    syntax_step *step;
    struct syntax_frame *below;
    unsigned state; /* of the step function; 0 at first */
    bool nests;     /* counts for SYNTAX_DEPTH_MAX */
    bool must;      /* something has to follow */
    size_t from;    /* of the source */
    const void *rule;
    union {
        struct { /* lists, pipelines */
            struct syntax_node *first, *last, *before;
            size_t n;
            bool negated, timed;
        } list;
        struct { /* commands: the node, and where its next item is linked */
            struct syntax_node *node, *owner, *before, **kid;
            struct syntax_node *item; /* of a case */
            struct syntax_word **word;
            struct syntax_assign **assign, *assigned;
            struct syntax_redirect **redirect, *redirected;
            bool strips;    /* the redirection is <<- */
            unsigned depth; /* open parentheses in [[ … ]] */
        } command;
        struct { /* words, quotes and expansions */
            struct syntax_part *first, **tail;
            unsigned flags, mode; /* SYNTAX_ and SYNTAX_LEX_ */
            size_t run;           /* start of the text that is no part yet */
            size_t count;         /* brackets open inside it */
            size_t semicolons;    /* in it, but for those in nested frames */
            bool keep, quoted;    /* keep: text becomes parts too */
            enum syntax_part_kind kind;
            const char *name; /* of ${name…} */
            size_t inside;    /* start of what follows its head */
        } lex;
        struct { /* $(…), <(…), `…`, bodies of here-documents */
            struct syntax_saved outside;
            enum syntax_part_kind kind;
            struct syntax_pending_heredoc *heredoc;
        } body;
        struct { /* =( … ) */
            struct syntax_word **word;
        } array;
    };
};

struct syntax_parser {
    struct syntax *out;
    struct arena *arena;
    struct syntax_source src;
    struct syntax_frame *top, *spare; /* the stack, and frames to use again */
    size_t depth;
    struct syntax_node *last;   /* of out->all */
    struct syntax_node *node;   /* result of the frame that was popped last */
    struct syntax_node *before; /* the node of `all` before that one */
    struct syntax_word *word;   /* result of a word's frame */
    struct syntax_comment **comment; /* where the next one is linked */
    struct syntax_node *owner;       /* the command that is being read */
    struct syntax_pending_heredoc *pending,
        *ready; /* without and with a known body */
    size_t n_pending;
    size_t end;     /* of what was read last, in the source */
    bool reserved;  /* a reserved word may follow without a separator */
    bool in_paren;  /* inside $(…), <(…) or >(…) */
    size_t scanned; /* bytes of lookahead so far */
    bool nomem;
};

/* Zeroed memory of the tree, for a structure and for text. NULL: no memory;
 * p->nomem is then set and stops the driver. */
void *syntax_alloc(struct syntax_parser *p, size_t n);
char *syntax_alloc_text(struct syntax_parser *p, size_t n);

/* Pushes a frame that begins here. NULL: no memory, or nested too deeply. */
struct syntax_frame *syntax_push_frame(struct syntax_parser *p,
                                       syntax_step *step, bool nests);
void syntax_pop_frame(struct syntax_parser *p);

/* Records a syntax error at a place of the source and ends the source. Only
 * the first error counts. `what` must outlive the tree. */
void syntax_fault(struct syntax_parser *p, size_t at, const char *what);
/* The same for the token that is ahead: it is not expected here. */
void syntax_unexpected(struct syntax_parser *p);

/* Counts n bytes of lookahead. Their sum is bounded, so that nesting cannot
 * make the time grow faster than the line. */
void syntax_count_lookahead(struct syntax_parser *p, size_t n);

/* Skips blanks and consumes `text`. Otherwise a syntax error: `missing` at
 * `from` when the source ended, else the unexpected token. */
bool syntax_expect(struct syntax_parser *p, const char *text, size_t from,
                   const char *missing);

#endif
