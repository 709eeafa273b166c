/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_frame.h - inside syntax.c: what is being read, from inside out. */
#ifndef GUARD_SYNTAX_FRAME_H
#define GUARD_SYNTAX_FRAME_H

#include "guard/syntax/syntax.h"
#include "guard/syntax/syntax_arena.h"

#define SYNTAX_HEREDOCS_MAX 16 /* before their bodies; bash's own bound */

struct parser;
struct frame;
typedef void syntax_step(struct parser *p, struct frame *f);

/* What is read: the line, or what `…` holds without its backslashes. */
struct source {
    const char *s;
    size_t n, at;
    bool mapped; /* a copy: all of it stands for [from, to) of the line */
    size_t from, to;
    char *arith; /* a byte for each: what syntax_lex_is_arith found out */
};

struct heredoc {
    struct syntax_redirect *redirect;
    struct syntax_node *owner;
    bool quoted, strip;
    size_t body, body_to; /* of the source, once its newline came */
    struct heredoc *next;
};

/* What a substitution or a here-document leaves to come back to. */
struct outside {
    struct source src;
    struct heredoc *pending, *ready;
    size_t n_pending, end;
    struct syntax_node *owner, *node, *before;
    struct syntax_word *word;
    bool in_paren, reserved;
};

struct frame {
    syntax_step *step;
    struct frame *below;
    unsigned state;
    bool nests;  /* counts for SYNTAX_DEPTH_MAX */
    bool must;   /* something has to come */
    size_t from; /* of the source */
    const void *rule;
    union {
        struct { /* lists, pipelines */
            struct syntax_node *first, *last, *before;
            size_t n;
            bool negated, timed;
        } list;
        struct { /* commands */
            struct syntax_node *node, *owner, *before, **kid;
            struct syntax_node *item; /* of a case */
            struct syntax_word **word;
            struct syntax_assign **assign, *assigned;
            struct syntax_redirect **redirect, *redirected;
            bool strips;    /* it is <<- */
            unsigned depth; /* of ( in [[ … ]] */
        } command;
        struct { /* words and what stands in them */
            struct syntax_part *first, **tail;
            unsigned flags, mode;
            size_t run;   /* where the text begins that is not yet a part */
            size_t count; /* of brackets that are open inside it */
            size_t semicolons; /* in it, but for those inside others */
            bool keep, quoted;
            enum syntax_part_kind kind;
            const char *name; /* of ${name…} */
            size_t inside;    /* where that begins which is not its head */
        } lex;
        struct { /* $(…), <(…), `…`, bodies of here-documents */
            struct outside outside;
            enum syntax_part_kind kind;
            struct heredoc *heredoc;
        } body;
        struct { /* =( … ) */
            struct syntax_word **word;
        } array;
    };
};

#endif
