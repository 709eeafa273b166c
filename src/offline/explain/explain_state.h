/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_state.h - inside explain.c: what its parts share. */
#ifndef OFFLINE_EXPLAIN_STATE_H
#define OFFLINE_EXPLAIN_STATE_H

#include "guard/syntax/syntax.h"
#include "offline/explain/explain.h"
#include "offline/manual/knowledge.h"

/* Command lines inside one another: substitutions, bash -c, sudo env …. */
#define EXPLAIN_DEPTH_MAX 8
#define EXPLAIN_CALLS_MAX 16

struct fact;
struct fact_option;

struct explainer {
    const char *line;
    struct explain *out;
    struct fact *facts; /* the newest first (explain_fact.h) */
    char *said;         /* the line that was read last, in a sentence */
    size_t cap;         /* of out->parts */
    struct knowledge known;
    unsigned depth; /* of command lines */
    unsigned calls; /* of commands that run commands */
    bool nomem;
};

/* A part of the line that is a command line: add `base` to its bytes. */
struct scope {
    struct explainer *x;
    const struct syntax *s;
    size_t base;
    const struct syntax_node *function;  /* the first it makes; NULL: none */
    const struct syntax_word **heredocs; /* their bodies, in order */
    size_t n_heredocs;
    bool mapped; /* the words are no bytes of it: `…` with backslashes */
};

/* A command and its arguments: argv[0] names it. */
struct call {
    const struct scope *s;
    const struct syntax_word *const *argv;
    size_t n;
};

/* Adds a part over [from, to) of the line; `what` NULL: those bytes. The
 * meaning is printf's. NULL when there is no more room or memory. */
struct explain_part *explain_add(struct explainer *x, enum explain_kind kind,
                                 size_t from, size_t to, const char *what,
                                 const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* The same over a word, or over [from, to) of its scope. */
struct explain_part *
explain_add_word(const struct scope *s, const struct syntax_word *w,
                 enum explain_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* What was put together of the line's own bytes, as one line of UTF-8, which
 * the caller frees: a name that was cut may end within a character. The marks
 * round a value's name are left out. NULL without memory, or when b is bad. */
char *explain_sentence(const struct buf *b);

/* Gives the part another meaning; where there is no such part, nothing. */
void explain_say_again(struct explainer *x, size_t part,
                       const struct buf *meaning);

/* Says the options of a call that our table knows to say with their values
 * (explain_precise.c). Accepts NULL. */
void explain_precise(struct explainer *x, const struct fact *f);

/* Marks a part as not understood. Accepts NULL. */
void explain_unknown(struct explain_part *p);

/* A command line that is part of the line, one level deeper. What it does as
 * a whole is in x->said then (NULL: nobody can say). */
void explain_inner(struct explainer *x, size_t from, size_t to);

/* The text of a word as a command line of its own; false when its quotes do
 * not let one find the bytes. */
bool explain_inner_word(const struct scope *s, const struct syntax_word *w);

/* What a signal means, by name or number; NULL: not known. */
const char *explain_signal(const char *name);

/* Appends who gets the signal where kill's operand is no single process: -1,
 * 0, -42 are; false for all others. */
bool explain_processes(const char *operand, struct buf *out);

/* Asks the guard (explain_risk.c). -1: no memory. */
int explain_judge(const char *line, struct explain_risk *out);

/* A command, its options and operands (explain_call.c). Returns what was
 * found out about it, or NULL; it is the explainer's. */
struct fact *explain_call(const struct call *c);

/* A call of a function that the line makes (explain_function.c); false: it is
 * none such. */
bool explain_own(const struct call *c);

/* Parts of the shell's own language (explain_shell.c). */
bool explain_sign(const struct scope *s, const struct syntax_node *node,
                  size_t from, size_t *to); /* false: there is none */
bool explain_gap_prepare(struct scope *s);  /* false: no memory */
void explain_gap(const struct scope *s, const struct syntax_node *node,
                 size_t from, size_t to); /* node NULL: of none */
bool explain_is_keyword(const char *text);
bool explain_is_assignment(const struct syntax_word *w);
void explain_redirect(const struct scope *s, const struct syntax_redirect *r);
void explain_assignment(const struct scope *s, const struct syntax_assign *a);

/* What expands in a command's words (explain_expansion.c). */
void explain_expansions(const struct scope *s, const struct syntax_node *node);

#endif
