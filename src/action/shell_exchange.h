/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_exchange.h - what one request adds to the memory of a shell.
 *
 * The turn notes it while it goes on: what was asked, what was proposed (the
 * last form of it, as it was edited), which steps ran and what they wrote, and
 * how it ended. Texts are UTF-8, bounded, and those of steps are redacted
 * (step_results.h); the store redacts all of them. A request that got no answer
 * leaves nothing. All functions accept NULL, and keep nothing then. */
#ifndef ACTION_SHELL_EXCHANGE_H
#define ACTION_SHELL_EXCHANGE_H

#include "action/plan.h"
#include "record/session_store.h"

struct shell_exchange;

/* The kinds of its items, in the order in which they come. */
#define SHELL_EXCHANGE_ASK    "ask"    /* the words that began it */
#define SHELL_EXCHANGE_REPLY  "said"   /* more words of the person's */
#define SHELL_EXCHANGE_ANSWER "answer" /* an AiAction, as JSON */
/* What steps wrote, one JSON object each. */
#define SHELL_EXCHANGE_CAME   "came"
#define SHELL_EXCHANGE_STATUS "status" /* the same where they wrote nothing */
/* What others could have written, in words. */
#define SHELL_EXCHANGE_OUTSIDE "outside"

struct shell_exchange *shell_exchange_new(struct err *e);
void shell_exchange_free(struct shell_exchange *x);
DEFINE_CLEANUP(struct shell_exchange, shell_exchange_free)

/* The request begins; what was noted before is dropped. input: bytes that came
 * with it, which are not kept. */
void shell_exchange_begin(struct shell_exchange *x, const char *words,
                          size_t input);
void shell_exchange_reply(struct shell_exchange *x, const char *words);
/* It takes the place of the one before when nothing was said or run between. */
void shell_exchange_propose(struct shell_exchange *x, const struct aiaction *a);
void shell_exchange_add_step(struct shell_exchange *x, const struct step *s,
                             const struct step_end *end);
/* The last: why may be NULL; outside as in struct proposal. */
void shell_exchange_end(struct shell_exchange *x, const struct err *why,
                        const char *outside);

/* What is to be kept; none before shell_exchange_end. Borrowed. */
const struct session_item *shell_exchange_items(const struct shell_exchange *x,
                                                size_t *n);

#endif
