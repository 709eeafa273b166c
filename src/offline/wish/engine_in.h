/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_in.h - inside engine*.c: what one wish leaves behind. */
#ifndef OFFLINE_ENGINE_IN_H
#define OFFLINE_ENGINE_IN_H

#include "offline/compose/literals.h"
#include "offline/wish/engine.h"
#include "offline/wish/fill.h"
#include "offline/wish/rank.h"

struct engine {
    const struct index *index;
    struct machine *machine;
    /* of the last wish */
    struct request request;
    struct literals literals;
    struct fill_said place;
    struct index_rates rates;
    struct index_hit hits[INDEX_HITS_MAX];
    struct shortlist list;
    struct ranking ranking;
};

/* engine_find.c: reads the wish and finds the recipes for it. What was read
 * before is forgotten. */
int engine_read(struct engine *g, const char *wish, struct err *e);
/* engine_check.c: whether a candidate is a command that bash reads, and whose
 * programs and operators are not the wish's. */
int engine_check(const struct engine *g, const struct candidate *c, bool *good,
                 struct err *e);
/* engine.c: what a command changes, as the linter says it of a recipe's. */
int engine_risk(const char *command, enum recipe_risk *out, struct err *e);
/* Whether it is no answer: the opposite of the wish, operands that change
 * places, a search where a file was named. */
bool engine_is_contrary(const struct engine *g, const char *command,
                        const char *title);
/* The command as it is proposed: names that are no options, and what it must
 * leave alone left alone; *covers where that cannot be done. The caller's to
 * free. */
char *engine_finish(const struct request *q, const char *command,
                    enum recipe_risk risk, bool *covers, struct err *e);
/* The first word that says anything and is not among those used; REQUEST_NONE:
 * half of a wish is not the wish. */
size_t engine_lost(const struct request *q, uint64_t used);
/* The candidates of recipes and of composers. */
int engine_gather(struct engine *g, struct err *e);

#endif
