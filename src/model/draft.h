/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draft.h - one answer while it arrives, whoever sends it.
 *
 * The providers' files put text, reasoning, refusals, token counts and the
 * reason of the end here; draft_check() says at the end whether an answer
 * came of it. Reasoning is never part of the text, also when a model writes
 * it into its text between <think> and </think>. */
#ifndef MODEL_DRAFT_H
#define MODEL_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/fault.h"
#include "model/wants.h"
#include "json/json.h"

enum finish {
    FINISH_NONE,    /* not finished yet */
    FINISH_STOP,    /* the model had said everything */
    FINISH_LENGTH,  /* a token limit cut it */
    FINISH_REFUSED, /* the model, or a filter, would not */
    FINISH_TOOL,    /* it calls a tool */
    FINISH_OTHER,   /* a word that we do not know */
};

struct finish_row {
    const char *word;
    enum finish finish;
};

/* How tools were offered, and so what a call looks like. */
enum draft_calls {
    CALLS_NONE,   /* they were not: a call is none of our business */
    CALLS_NATIVE, /* in the provider's own form */
    CALLS_TEXT,   /* in the prompt: a call is written as the text */
};

#define ANSWER_NAME "answer" /* of the forced tool, and of the schema */

enum think { THINK_MAYBE, THINK_INSIDE, THINK_OUTSIDE };

/* Reasoning, and its signature, that go back with the calls. */
struct draft_kept {
    const char *name;
    struct buf text;
};
#define DRAFT_KEPT 2

struct draft {
    struct buf text;
    struct buf refusal;
    size_t told;     /* bytes of text handed out by draft_news() */
    bool wants_tool; /* the arguments of the forced tool are the text */
    enum draft_calls calls;
    unsigned made; /* number of the conversation's last id of our own */
    struct wants wants;
    struct draft_kept kept[DRAFT_KEPT];
    bool settled;  /* what is a call and what is text is known */
    bool reasoned; /* reasoning came since it was last asked */
    bool reasoned_ever;
    enum think think;
    enum finish finish;
    char finish_word[40];
    char model[128];
    int64_t tokens_in, tokens_out; /* -1: not told */
    bool complete;                 /* the stream's own last word came */
    bool faulty;                   /* an error came instead of an answer */
    struct fault fault;
};

/* key: what an error that is quoted must not show; borrowed, or NULL. */
void draft_init(struct draft *r, bool wants_tool, const char *key);
void draft_done(struct draft *r);
/* Tools are offered; before the first byte. made: see wants_seal(). */
void draft_offer(struct draft *r, enum draft_calls calls, unsigned made);

/* For the providers' files. Text is bytes of the answer; a NULL is nothing. */
int draft_text(struct draft *r, const char *p, size_t n, struct err *e);
int draft_str(struct draft *r, const struct json *v, struct err *e);
void draft_reasoning(struct draft *r, const struct json *v);
/* The same, of a provider that wants it back under this name beside calls. */
void draft_keep(struct draft *r, const char *name, const struct json *v);
void draft_refusal(struct draft *r, const struct json *v);
/* A call, or a piece of one. */
int draft_call(struct draft *r, const struct want_piece *p, struct err *e);
/* rows end with a NULL word, whose finish is that of every other word. */
void draft_finish(struct draft *r, const struct json *v,
                  const struct finish_row *rows);
void draft_model(struct draft *r, const struct json *v);
void draft_tokens(int64_t *to, const struct json *v);
/* An error in place of an event. Returns -1: `return draft_fault(…)`. */
int draft_fault(struct draft *r, const struct json *v, struct err *e);

/* Text that has not been handed out yet and surely is the answer's; at the
 * end, what is left of it. NULL: none. */
const char *draft_news(struct draft *r, size_t *n);
const char *draft_rest(struct draft *r, size_t *n);

/* At the end: 0 when the text is a whole answer, or calls are wanted. limit:
 * tokens asked for, 0 none. ERR_MODEL with the model's words for a refusal,
 * else ERR_ANSWER. */
int draft_check(struct draft *r, int limit, struct err *e);

#endif
