/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_state.h - the state of the engine: what it read from the last request.
 */
#ifndef OFFLINE_ENGINE_ENGINE_STATE_H
#define OFFLINE_ENGINE_ENGINE_STATE_H

#include "offline/engine/engine.h"
#include "offline/engine/rank.h"
#include "offline/engine/slot_fill.h"
#include "offline/generate/literals.h"

struct engine {
    const struct seat *seat;
    const struct index *index;
    struct installed *installed;
    /* of the last request */
    struct request request;
    struct literals literals;
    struct slot_stated_place place;
    struct index_rates rates;
    struct index_hit hits[INDEX_HITS_MAX];
    struct shortlist list;
    struct ranking ranking;
};

/* Reads the request and searches the recipes for it. The state of the request
 * before is freed. */
int engine_read(struct engine *g, const char *text, struct err *e);
/* Checks that a candidate is a command that bash can parse, and that none of
 * its programs and operators comes from the request. */
int engine_check(const struct engine *g, const struct candidate *c, bool *good,
                 struct err *e);
/* What a command changes, in the terms of recipes. */
int engine_risk(const char *command, enum recipe_risk *out, struct err *e);
/* Whether the command contradicts the request: it does the opposite, swaps the
 * operands, or searches for a file that was named. */
bool engine_is_contrary(const struct engine *g, const char *command,
                        const char *title);
/* The command as it is proposed, rewritten by sanitize.h; the caller frees it.
 * *covers is set where it still would overwrite files. */
char *engine_finish(const struct request *q, const char *command,
                    enum recipe_risk risk, bool *covers, struct err *e);
/* The first word with a meaning that is not in `used`, or REQUEST_NONE: half of
 * a request is not the request. */
size_t engine_unused_word(const struct request *q, uint64_t used);
/* Collects the candidates of recipes and of generators. */
int engine_gather(struct engine *g, struct err *e);

#endif
