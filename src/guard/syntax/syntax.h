/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax.h - parses a command line as bash does, into a tree of commands.
 *
 * This folder is guard's parser. guard/ decides what a command line may do:
 * the parser reads the line (here), risk.h derives what the line would do,
 * effects.h which files and processes that reaches, policy.h what the rules
 * say of it; guard.h combines them. The parser runs nothing and expands
 * nothing: it knows no file, no variable's value and no program.
 *
 * The line is untrusted. Any bytes give a tree, or the tree of what precedes
 * the first syntax error and a description of it; never a crash, and never
 * more time and memory than in proportion to the line. Neither the parser nor
 * its readers recurse: `all` lists every node, those inside $(...) too, and
 * `parent` and `holder` lead outwards. Parsing fails only when memory is
 * short or the line is too long. */
#ifndef GUARD_SYNTAX_SYNTAX_H
#define GUARD_SYNTAX_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

#define SYNTAX_LINE_MAX  (256 * 1024) /* far over a plan's 16 KiB commands */
#define SYNTAX_DEPTH_MAX 500          /* deeper nesting is a syntax error */

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

/* Flags of a whole word. */
#define SYNTAX_QUOTED   0x01u /* some of it is in quotes or behind \ */
#define SYNTAX_ANSI     0x02u /* some of it is $'…' */
#define SYNTAX_EXPANDS  0x04u /* it has a part other than SYNTAX_TEXT */
#define SYNTAX_PATTERN  0x08u /* a SYNTAX_GLOB or SYNTAX_BRACE among them */
#define SYNTAX_RUNS     0x10u /* a body among them, at any depth */
#define SYNTAX_OPERATOR 0x20u /* in [[ … ]]: an operator, not an operand */

/* Text nested deeper than this keeps its first 64 bytes only, so that all
 * texts together stay in proportion to the line. */
#define SYNTAX_WRITTEN_MAX   16
#define SYNTAX_WRITTEN_BYTES 64

struct syntax_part {
    enum syntax_part_kind kind;
    bool quoted;      /* within '…', "…" or $'…', or behind a backslash */
    size_t from, to;  /* bytes of the line */
    const char *text; /* see the kinds; never NULL; "" where a body is */
    const char *op;   /* of ${name…}: what follows the name; of an expression
                         in [index]=: "["; else "" */
    size_t inside;    /* where an expression's text or an op begins in the
                         line; 0: it is not in the line as it is */
    struct syntax_node *body; /* the commands that run; NULL: none */
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

enum syntax_join {              /* to the next sibling */
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
    bool mapped;         /* from and to are those of the `…` around it */
    bool negated, timed; /* of a pipeline or a lone command: ! and time */
    bool apart;     /* of a list's kid: in the background, as in a && b & */
    bool shares;    /* a body of ${ …; }: its assignments outlive it */
    bool depends;   /* follows && or ||: the exit status decides */
    bool ends_line; /* of a list's kid: a newline precedes the next */
    size_t from, to;
    struct syntax_word *words;
    size_t n_words;
    struct syntax_assign *assigns;
    struct syntax_redirect *redirects; /* of compound commands too */
    struct syntax_node *kids, *next;
    struct syntax_node *parent; /* NULL: the whole line, or a part's body */
    struct syntax_node *holder; /* of a body: the node whose word, assignment
                                   or redirect contains it */
    struct syntax_node *after;  /* the next of `all` */
};

struct syntax_comment {
    size_t from, to; /* # up to the newline */
    struct syntax_comment *next;
};

struct syntax {
    struct syntax_node *top; /* NULL: only blanks and comments */
    struct syntax_node *all; /* every node in the order of its first byte; an
                                outer one before those inside it */
    struct syntax_comment *comments;
    /* NULL, or the syntax error at fault_at, in words. The tree then holds
     * what precedes it; the innermost node may lack its kids or its end. */
    const char *fault;
    size_t fault_at;
    void *memory; /* the arena that owns the tree; private to the parser */
};

/* Parses line[0..n). 0: parsed, with or without a fault; -1: no memory, or
 * the line is over SYNTAX_LINE_MAX. The tree keeps no pointer into the line. */
int syntax_read(const char *line, size_t n, struct syntax *out, struct err *e);
void syntax_done(struct syntax *s); /* accepts NULL */

/* Whether a word expands to its text and nothing else. */
bool syntax_word_is_literal(const struct syntax_word *w);

/* Decodes the escapes of bash's $'…' in s[0..n) into out, which has room for
 * n + 1 bytes. Returns the number of bytes written, at most n. As in bash, a
 * NUL ends the text. */
size_t syntax_ansi_decode(const char *s, size_t n, char *out);

#endif
