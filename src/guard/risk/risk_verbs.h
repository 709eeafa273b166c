/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_verbs.h - recognizes verbs (delete, list) in the words of a program that
 * no table describes. */
#ifndef GUARD_RISK_RISK_VERBS_H
#define GUARD_RISK_RISK_VERBS_H

#include "guard/risk/risk_args.h"

/* Whether the program's table treats its first word as a verb. */
bool risk_verbs_are_listed(const struct program *program);

/* The word among the first ones, the option, or the program's own name, that
 * says that something is deleted or stopped (delete, apps:destroy, drop-topic,
 * --purge, pg_wipe); NULL: none. A verb that only reads (list, show, search)
 * ends the search: what follows is its object. is_listed: the table describes
 * the program; then only words count that it does not mention. */
const struct risk_arg *risk_verbs_harmful(const struct risk_parsed *p,
                                          bool is_listed);

/* Whether the call only asks for help: a few plain words, then --help, as in
 * `cluster delete --help`. */
bool risk_verbs_ask_for_help(const struct risk_parsed *p);

#endif
