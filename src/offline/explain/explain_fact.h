/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_fact.h - what was found out about each command of a line.
 *
 * Parts are for a reader; facts serve the sentence about the whole line, which
 * is written after all commands were read. The words of a fact belong to the
 * syntax tree that it was read from. */
#ifndef OFFLINE_EXPLAIN_EXPLAIN_FACT_H
#define OFFLINE_EXPLAIN_EXPLAIN_FACT_H

#include "offline/explain/explain_state.h"

/* An option that was used: bytes [at, end) of the line. Its value is bytes
 * [from, to); from == to when it has none. */
struct fact_option {
    const struct page_row *row;
    size_t at, end;
    size_t from, to;
    size_t part; /* the index of the part that explains it */
};

struct fact {
    size_t at, name_to; /* bytes of the line: the name with its subcommands */
    size_t base;        /* of the scope of its words */
    const struct known_program *p; /* NULL: the program is not known */
    const struct page *table;      /* has its sentences; NULL: none */
    const struct syntax_word **operands;
    size_t n_operands;
    size_t n_before; /* operands before the --, or all of them */
    struct fact_option *options;
    size_t n_options;
    bool is_function;   /* the line defines it */
    bool lacks;         /* the last option has no value */
    struct fact *inner; /* the command that it runs, or NULL */
    char *sentence;     /* for the command line that it runs; or NULL */
    struct fact *next;
};

struct args;

/* Keeps what was read of a call, and takes a->sentence over. Returns NULL
 * without memory, or where the words are not bytes of the line. The fact is the
 * explainer's. */
struct fact *fact_keep(struct args *a);

/* The fact about the command that begins at byte `at` of the line, or NULL. */
const struct fact *fact_at(const struct explainer *x, size_t at);

/* The option with that spelling, or NULL. The last one is returned: its value
 * is the one that counts. */
const struct fact_option *fact_option(const struct fact *f, const char *name,
                                      size_t n);

/* Frees all facts, and x->sentence. */
void facts_done(struct explainer *x);

#endif
