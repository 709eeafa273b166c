/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conversation.h - what was said between a person, a model and its tools.
 *
 * Holds all turns in the order in which a provider must see them again (the
 * model's calls, then the result of each), how many answers the model has
 * given and what they cost, and whether others than the person could have
 * written what was sent. All texts are copied. Who decides what is said next
 * is agent_loop.h. */
#ifndef ACTION_CONVERSATION_H
#define ACTION_CONVERSATION_H

#include <stdbool.h>

#include "model/client.h"
#include "model/price.h"

/* The request, rounds of calls with their results, answers and reasons; more
 * is ERR_NOMEM. */
#define CONVERSATION_TURNS_MAX 512
/* Of requests before the one that is open; some 64,000 tokens. */
#define CONVERSATION_BYTES_MAX (256u << 10)

struct conversation;

/* What the answers cost, all together. */
struct conversation_usage {
    const char *model; /* of the last answer; borrowed from it; may be NULL */
    int64_t tokens_in, tokens_out; /* -1: an answer did not tell */
    /* of these, as in struct model_answer; -1: no answer told */
    int64_t tokens_cached, tokens_cache_written, tokens_reasoning;
    int64_t tokens_in_most; /* of one answer: a price may hold up to a size */
    int64_t ms;
    bool repaired;      /* an unusable answer was asked for again */
    bool replaced;      /* the text that streamed is not that of the answer */
    struct price price; /* for the owner of the loop, that knows the model … */
    struct cost cost;   /* … and its price, to fill; else not known */
};

struct conversation *conversation_new(struct err *e);
void conversation_free(struct conversation *c);
DEFINE_CLEANUP(struct conversation, conversation_free)

/* A request begins: the next text of the person's. What the answers cost, and
 * how many there are, is counted from here. Of earlier requests the oldest are
 * dropped, whole, until at most CONVERSATION_BYTES_MAX are kept, and
 * twice the images that one prompt may have. */
void conversation_begin(struct conversation *c);

/* A request has ended, in whatever way: calls that have no results, since it
 * was cancelled or failed, are dropped, as no provider takes them. */
void conversation_settle(struct conversation *c);

/* A text of the person's or ours. outside: what of it others could have
 * written, in words (model/client.h); NULL: nothing. images: are kept, not
 * copied; NULL: none. */
int conversation_add_user(struct conversation *c, const char *text,
                          const char *outside, struct model_images *images,
                          struct err *e);

/* What the model said, cut to 64 KiB, and its calls. */
int conversation_add_assistant(struct conversation *c,
                               const struct model_answer *a, struct err *e);

/* The result of a call of the last assistant's turn. */
int conversation_add_result(struct conversation *c,
                            const struct model_tool_call *call,
                            const char *text, const char *outside, bool failed,
                            struct err *e);

/* All turns, oldest first; borrowed until the next change. */
const struct model_turn *conversation_turns(const struct conversation *c,
                                            size_t *n);

/* The index of the turn that began the last request. */
size_t conversation_last_request(const struct conversation *c);

/* Puts the turns into a request that is about to be sent, and notes which of
 * its turns and tools others could have written. */
void conversation_fill_request(struct conversation *c, struct model_request *r);

/* Counts an answer: a round, its time and its tokens. */
void conversation_count_answer(struct conversation *c,
                               const struct model_answer *a);

/* The next answer replaces one that could not be used. */
void conversation_note_repair(struct conversation *c);

/* Notes whether the text that streamed is that of the answer. */
void conversation_note_replaced(struct conversation *c, bool replaced);

/* The number of answers, and what they cost. */
int conversation_rounds(const struct conversation *c);
const struct conversation_usage *
conversation_usage(const struct conversation *c);

/* Notes what was sent before the conversation was restored; NULL: nothing. */
void conversation_note_outside(struct conversation *c, const char *what);

/* What was sent so far that others could have written, in words for a review;
 * NULL: nothing. */
const char *conversation_outside(const struct conversation *c);

#endif
