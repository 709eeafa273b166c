/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_verbs.h - what the words of a program tell that no table knows. */
#ifndef GUARD_RISK_VERBS_H
#define GUARD_RISK_VERBS_H

#include "guard/risk/risk_args.h"

/* Whether a table says that the program's first word is a verb. */
bool risk_has_verbs(const struct program *program);

/* A word among the first ones, or an option, or a part of the program's name,
 * that says that something is deleted or stopped (delete, apps:destroy,
 * drop-topic, --purge, pg_wipe); NULL: none. A verb that only looks (list,
 * show, search) ends the search: what follows is what it looks at. */
const struct risk_arg *risk_harmful_word(const struct risk_parsed *p,
                                         bool is_listed);

/* `cluster delete --help`: a few plain words, then a question. */
bool risk_asks_verb_for_help(const struct risk_parsed *p);

#endif
