/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_args.h - sorts a call's arguments into options and operands, as its
 * program reads them, and selects those that a rule is about. */
#ifndef GUARD_RISK_RISK_ARGS_H
#define GUARD_RISK_RISK_ARGS_H

#include "guard/risk/risk_state.h"

/* An option. -rf gives three: -rf itself, -r and -f. */
struct risk_option {
    char letter;                  /* of a short one; else 0 */
    const struct risk_arg *arg;   /* the argument that holds it */
    size_t len;                   /* of its name in arg->text */
    const struct risk_arg *value; /* NULL: none, or in the same argument */
    const char *value_text;       /* may be the rest of arg; NULL: none */
};

struct risk_parsed {
    const struct program *program, *parent; /* parent: of a subcommand */
    const char *name;                       /* "git push" */
    const struct risk_arg *v;               /* behind the (sub)command */
    size_t n;
    struct risk_option *options;
    const struct risk_arg **operands;
    size_t n_options, n_operands;
    size_t n_before; /* options in front of the subcommand */
    size_t cap_options, cap_operands;
    size_t *at;  /* the index of each operand in v */
    bool dashes; /* an argument is -- */
};

/* Finds the stanza of v[0] and its subcommand and sorts the other arguments.
 * False: no stanza; then every argument is an operand but those that begin
 * with a dash. */
bool risk_parse_args(struct risk_state *st, const struct risk_arg *v, size_t n,
                     struct risk_parsed *out);

/* Whether one of the words of a list is among the arguments. strict: for
 * certain, not only as an abbreviation that may mean it. */
bool risk_args_have(const struct risk_parsed *p, uint32_t words, bool strict);
/* Whether an option is that word; one of that list. */
bool risk_option_matches(const struct risk_parsed *p,
                         const struct risk_option *o,
                         const struct program_word *w);
bool risk_option_is_listed(const struct risk_parsed *p,
                           const struct risk_option *o, uint32_t list);

/* risk_select.c: appends the arguments that a rule of the stanza is about. */
void risk_select_args(struct risk_state *st, const struct risk_parsed *p,
                      const struct program_rule *r, struct risk_args *out);

#endif
