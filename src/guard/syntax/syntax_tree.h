/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_tree.h - the tree that syntax.h gives: commands and their parts. */
#ifndef GUARD_SYNTAX_TREE_H
#define GUARD_SYNTAX_TREE_H

#include "guard/syntax/syntax_word.h"

enum syntax_kind {
    SYNTAX_CALL,      /* assignments, words, redirects; each may be none */
    SYNTAX_PIPELINE,  /* kids; join says | or |& */
    SYNTAX_LIST,      /* kids; join says ; && || & or a newline */
    SYNTAX_SUBSHELL,  /* ( … ): kid 1 */
    SYNTAX_GROUP,     /* { …; }: kid 1 */
    SYNTAX_FUNCTION,  /* words: its name; kid 1: its body */
    SYNTAX_IF,        /* kids: condition, body, condition, body …, else */
    SYNTAX_FOR,       /* words: the variable, the list; kid 1: body */
    SYNTAX_SELECT,    /* the same */
    SYNTAX_FOR_ARITH, /* words: what stands in ((…)); kid 1: body */
    SYNTAX_WHILE,     /* kids: condition, body */
    SYNTAX_UNTIL,     /* the same */
    SYNTAX_CASE,      /* words: its subject; kids: SYNTAX_CASE_ITEM */
    SYNTAX_CASE_ITEM, /* words: its patterns; kid 1: body, may be none */
    SYNTAX_TEST,      /* [[ … ]]: words, its operators among them */
    SYNTAX_ARITH,     /* ((…)): one word */
    SYNTAX_COPROC,    /* words: its name, may be none; kid 1 */
};

/* How a node goes on to the next of its parent's kids. */
enum syntax_join {
    SYNTAX_NONE, /* it is the last */
    SYNTAX_THEN, /* ; or a newline */
    SYNTAX_AND,
    SYNTAX_OR,
    SYNTAX_BACKGROUND, /* &, also of the last */
    SYNTAX_PIPE,
    SYNTAX_PIPE_BOTH, /* |& */
};

struct syntax_assign {
    size_t from, to;
    const char *name;
    bool append;               /* += */
    bool is_array;             /* =( … ): words; else value */
    const char *index;         /* of name[index]=; NULL without */
    size_t inside;             /* where it begins, as syntax_part.inside */
    struct syntax_part *kids;  /* expansions inside the index */
    struct syntax_word *value; /* NULL: empty */
    struct syntax_word *words; /* of an array */
    struct syntax_assign *next;
};

enum syntax_redirect_kind {
    SYNTAX_READ,        /* <  */
    SYNTAX_WRITE,       /* >  */
    SYNTAX_CLOBBER,     /* >| */
    SYNTAX_APPEND,      /* >> */
    SYNTAX_READ_WRITE,  /* <> */
    SYNTAX_WRITE_BOTH,  /* &> and >& with a word that is no descriptor */
    SYNTAX_APPEND_BOTH, /* &>> */
    SYNTAX_DUP_IN,      /* <& */
    SYNTAX_DUP_OUT,     /* >& with a number, - or what may become one */
    SYNTAX_HEREDOC,     /* << and <<-: target is the delimiter */
    SYNTAX_HERE_STRING, /* <<<: target is the text */
};

#define SYNTAX_FD_DEFAULT (-1)
#define SYNTAX_FD_NAMED   (-2) /* {name}>file: see variable */

struct syntax_redirect {
    enum syntax_redirect_kind kind;
    size_t from, to;
    int fd;
    const char *variable;        /* of {name}>; else NULL */
    struct syntax_word *target;  /* never NULL */
    struct syntax_word *heredoc; /* its body; a quoted delimiter: all text */
    struct syntax_redirect *next;
};

struct syntax_node {
    enum syntax_kind kind;
    enum syntax_join join;
    bool mapped; /* all its places are those of the `…` it stands in */
    bool negated, timed; /* of a pipeline or what stands for one: ! and time */
    bool apart;          /* of a list: in the background, as in a && b & */
    bool shares;         /* a body of ${ …; }: what it sets stays */
    bool depends;        /* stands behind && or ||: what came before decides */
    bool ends_line;      /* of a list's kid: the next is read after a newline */
    size_t from, to;
    struct syntax_word *words;
    size_t n_words;
    struct syntax_assign *assigns;
    struct syntax_redirect *redirects; /* of compound commands too */
    struct syntax_node *kids, *next;
    struct syntax_node *parent; /* NULL: the whole, or a part's body */
    struct syntax_node *holder; /* of a body: the node whose word, assignment
                                   or redirect it stands in */
    struct syntax_node *after;  /* the next of `all` */
};

#endif
