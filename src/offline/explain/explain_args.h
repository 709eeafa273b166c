/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_args.h - the arguments of one command while they are read.
 *
 * explain_call.c goes through the words of a command; explain_option.c reads
 * those that are options, or that stand for options without a dash. */
#ifndef OFFLINE_EXPLAIN_EXPLAIN_ARGS_H
#define OFFLINE_EXPLAIN_EXPLAIN_ARGS_H

#include "offline/explain/explain_fact.h"

#define USED_MAX 64 /* options of one command that conditions may name */

struct args {
    const struct explain_command *c;
    const struct explain_scope *s;
    const struct known_program *p;
    size_t i; /* index of the word that is read; a reader that takes more words
                 advances it */
    const struct known_program *family; /* ip, for "ip address"; else NULL */
    bool ended;      /* no options follow: behind --, or behind a command */
    bool behind;     /* behind -- */
    size_t n_before; /* operands before the -- */
    const struct syntax_word **operands;
    size_t n_operands;
    struct fact_option used[USED_MAX];
    size_t n_used;
    struct fact *inner; /* the command that it runs, or NULL */
    char *sentence;     /* for the command line that it runs; or NULL */
    bool is_function;   /* the line defines it */
    bool lacks;         /* the last option has no value */
    size_t name_to;     /* byte behind the name with its subcommands */
};

/* Notes that the row describes bytes [at, end) of the line: tables ask for it
 * in their conditions. */
void args_note(struct args *a, const struct page_row *row, size_t at,
               size_t end);

/* Takes the sentence of the command line that was just explained: it is what
 * this command runs. */
void args_take_sentence(struct args *a);

/* Reads the word at a->i as an option, or as several in one word. */
void explain_option(struct args *a);

/* Whether a word with a dash is text, not an option: "echo ----" writes it. */
bool explain_is_text(const struct args *a, const struct syntax_word *w);

/* Reads the word at a->i as option letters without a dash, as in "tar xf" and
 * "ps aux". Returns false when it is something else. */
bool explain_letters(struct args *a);

/* Reads a keyword of a family of commands and its value, as "dev eth0" of ip.
 * Returns false when it is none. */
bool explain_keyword(struct args *a);

/* Reads a word that the program defines by itself: dd's if=FILE, find's "(".
 * Returns false when it is none. */
bool explain_term(struct args *a);

/* What test, [ or [[ tests, "a is a file and b exists" (explain_condition.c).
 * The caller frees it. NULL when not all of it is understood, or without
 * memory.
 */
char *explain_condition(const struct explain_command *c);

#endif
