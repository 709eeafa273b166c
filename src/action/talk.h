/* SPDX-License-Identifier: GPL-3.0-or-later */
/* talk.h - a conversation with a model, kept turn by turn.
 *
 * Everything is copied. The turns are in the order in which the provider must
 * see them again: a model's calls, then the result of each. */
#ifndef ACTION_TALK_H
#define ACTION_TALK_H

#include <stdbool.h>

#include "model/client.h"

/* The wish, rounds of calls with their results, answers and reasons; more is
 * ERR_NOMEM. */
#define TALK_TURNS_MAX 512

struct talk;

struct talk *talk_new(struct err *e);
void talk_free(struct talk *t);
DEFINE_CLEANUP(struct talk, talk_free)

/* outside: what of it others could have written (client.h); NULL: nothing. */
int talk_user(struct talk *t, const char *text, const char *outside,
              struct err *e);

/* What the model said, cut where nobody needs more of it; and its calls. */
int talk_assistant(struct talk *t, const struct model_answer *a, struct err *e);

/* What came of a call of the last assistant's turn. */
int talk_result(struct talk *t, const struct model_tool_call *call,
                const char *text, const char *outside, bool failed,
                struct err *e);

/* All of them, oldest first; borrowed until the next change. */
const struct model_turn *talk_turns(const struct talk *t, size_t *n);

#endif
