/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_fact.h - what was found out about each command of a line.
 *
 * The parts tell a reader; the facts serve the sentence about the whole. A
 * fact's words are those of the tree that it was read from. */
#ifndef OFFLINE_EXPLAIN_FACT_H
#define OFFLINE_EXPLAIN_FACT_H

#include "offline/explain/explain_state.h"

/* An option that was used, where it is written, and where its value stands in
 * the line; from == to when it has none. */
struct fact_option {
    const struct page_row *row;
    size_t at, end;
    size_t from, to;
    size_t part; /* that says it, among those of the line */
};

struct fact {
    size_t at, name_to;       /* bytes of the line: its name, subcommands too */
    size_t base;              /* of its words */
    const struct program *p;  /* NULL: nothing is known */
    const struct page *table; /* its sentences; NULL: none */
    const struct syntax_word **operands;
    size_t n_operands;
    size_t n_before; /* of them: those that no -- stands before */
    struct fact_option *options;
    size_t n_options;
    bool is_function;   /* that the line makes */
    bool lacks;         /* an option at its end has no value */
    struct fact *inner; /* the command that it runs, or … */
    char *said;         /* … the line that it runs, in a sentence */
    struct fact *next;
};

struct args;

/* Keeps what was read of a call, which gives away a->said. NULL without
 * memory, or where its words are no bytes of the line. */
struct fact *fact_keep(struct args *a);

/* The fact about the command that begins at that byte; NULL: none. */
const struct fact *fact_at(const struct explainer *x, size_t at);

/* The option that is spelled so: the last one, whose value counts. */
const struct fact_option *fact_option(const struct fact *f, const char *name,
                                      size_t n);

void facts_done(struct explainer *x);

#endif
