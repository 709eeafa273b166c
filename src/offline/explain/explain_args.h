/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_args.h - inside explain_call.c: reading the arguments of a call. */
#ifndef OFFLINE_EXPLAIN_ARGS_H
#define OFFLINE_EXPLAIN_ARGS_H

#include "offline/explain/explain_fact.h"

#define USED_MAX 64 /* options of one call that its operands may ask for */

struct args {
    const struct call *c;
    const struct scope *s;
    const struct program *p;
    size_t i; /* the word that is read; whoever takes more moves it */
    const struct program *family; /* ip, of ip address; else NULL */
    bool ended;      /* behind --, or behind a command of its own */
    bool behind;     /* behind -- */
    size_t n_before; /* operands before it */
    const struct syntax_word **operands;
    size_t n_operands;
    struct fact_option used[USED_MAX];
    size_t n_used;
    struct fact *inner; /* the command that it runs */
    char *said;         /* the line that it runs, in a sentence */
    bool is_function;   /* that the line makes */
    bool lacks;         /* an option at its end has no value */
    size_t name_to;     /* where its name ends, subcommands too */
};

/* The word at i of the call; NULL behind the last. */
const struct syntax_word *args_word(const struct args *a, size_t i);

/* The row says something of this call, as bytes [at, end) of the line. */
void args_note(struct args *a, const struct page_row *row, size_t at,
               size_t end);

/* Whether a quirk's list names the option. */
bool args_is_listed(const struct args *a, const char *quirk, const char *option,
                    size_t n);

/* The line that was just read is what this call runs. */
void args_take_said(struct args *a);

/* The word at a->i as an option or options (explain_option.c). */
void explain_option(struct args *a);

/* Whether a word with a dash is text after all: echo ---- writes it. */
bool explain_is_text(const struct args *a, const struct syntax_word *w);

/* What test, [ or [[ look at: "a is a file and b exists"; the caller frees it.
 * NULL where it is not understood whole, or without memory. */
char *explain_condition(const struct call *c);

/* Letters without a dash, tar's and ps's; false when it is none such. */
bool explain_letters(struct args *a);

/* dev eth0, where the program has keywords; false when it is none. */
bool explain_keyword(struct args *a);

/* if=FILE, a word that the program knows by itself; false when it is none. */
bool explain_term(struct args *a);

/* Where bytes [k, end) of the word's text lie in the line. Before its first
 * quote a word has its text there; from there on, all of it is meant. */
void args_range(const struct args *a, const struct syntax_word *w, size_t k,
                size_t end, size_t *from, size_t *to);

/* The part for those bytes, shown as `what`; row NULL: not known. */
void args_add_option(struct args *a, const struct syntax_word *w, size_t k,
                     size_t end, const char *what, const struct page_row *row);

/* The part for a value of the option[0..n) that the row tells about. */
void args_add_value(struct args *a, size_t from, size_t to,
                    const struct page_row *row, const char *option, size_t n);

/* Whether the next word is the option's value: always, or where the program
 * takes a number behind an option that may stand alone (make -j 4). */
bool args_value_follows(const struct args *a, const char *option, size_t n,
                        enum option_takes takes);

/* The next word is that value. */
void args_take_value(struct args *a, const struct page_row *row,
                     const char *option, size_t n);

/* The operands that were gathered, named (explain_operands.c). `used` are
 * the options of this call. */
struct operands {
    const struct syntax_word *const *v;
    size_t n;
    bool behind;     /* a -- stands among them … */
    size_t n_before; /* … behind so many */
    const struct fact_option *used;
    size_t n_used;
};
void explain_operands(const struct scope *s, const struct program *p,
                      const struct operands *o);

#endif
