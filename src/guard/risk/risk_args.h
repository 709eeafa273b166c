/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_args.h - a call's arguments as its stanza reads them. */
#ifndef GUARD_RISK_ARGS_H
#define GUARD_RISK_ARGS_H

#include "guard/risk/risk_state.h"

/* An option; -rf gives three: -rf itself, -r and -f. */
struct risk_option {
    char letter;                  /* of a short one; else 0 */
    const struct risk_arg *arg;   /* where it stands */
    size_t len;                   /* of its name in arg->text */
    const struct risk_arg *value; /* NULL: none */
    const char *value_text;       /* may be the rest of arg */
};

struct risk_parsed {
    const struct program *program, *parent;
    const char *name;         /* "git push" */
    const struct risk_arg *v; /* behind the (sub)command */
    size_t n;
    struct risk_option *options;
    const struct risk_arg **operands;
    size_t n_options, n_operands;
    size_t n_before; /* options that stand before the subcommand */
    size_t cap_options, cap_operands;
    size_t *at;  /* where each operand stands in v */
    bool dashes; /* -- stands there */
};

/* Finds the stanza of v[0] (and its subcommand) and sorts the rest into
 * options and operands. false: no stanza; then everything is an operand but
 * what begins with a dash. */
bool risk_sort_args(struct risk_state *st, const struct risk_arg *v, size_t n,
                    struct risk_parsed *out);

/* Whether one of the words of a list stands among the arguments. strict: for
 * certain, not only as the beginning of a word that may mean it. */
bool risk_stands(const struct risk_parsed *p, uint32_t words, bool strict);
bool risk_option_is(const struct risk_parsed *p, const struct risk_option *o,
                    const struct program_word *w);
/* Whether an option is one of a list's. */
bool risk_option_is_listed(const struct risk_parsed *p,
                           const struct risk_option *o, uint32_t list);

/* A pattern of * ? […] against a whole text. */
bool risk_matches(const char *pattern, const char *text);

/* Its base name, without the version at its end (python3.11). */
const struct program *risk_find_program(const char *name, char *base,
                                        size_t size);

#endif
