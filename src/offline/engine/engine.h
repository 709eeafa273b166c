/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - answers a request with commands or a plan, without a model.
 *
 * engine/ joins the other folders of offline/: parse/ reads the request, index/
 * finds recipes, generate/ writes commands, and engine/ fills slots, drops what
 * is wrong or does harm, ranks the rest and decides whether the best may be
 * proposed. It must not run anything, ask a model or talk to the user.
 * What can fail: memory. A request that nothing fits is no error. */
#ifndef OFFLINE_ENGINE_ENGINE_H
#define OFFLINE_ENGINE_ENGINE_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/seat.h"
#include "offline/index/recipe.h"
#include "json/write.h"

#define ENGINE_ANSWERS 8

/* The confidence is the share of such answers that name the right program.
 *
 * From this confidence on the first command may be proposed for running: of
 * requests that nobody had seen before, .85 of those answers are right. */
#define ENGINE_SURE 0.65
/* The same when the answer accounts for every word of the request and leaves no
 * slot open: a short request has no candidate that would say more. */
#define ENGINE_SURE_OF_ALL 0.45
/* From this confidence on an answer is worth showing. Below it no recipe and no
 * generator knows the words of the request: one request in five hundred. */
#define ENGINE_NEAR 0.12

#define ENGINE_DOUBT_SIZE 128

struct engine; /* the index, the installed programs, the last request */

/* For who works from the seat, which is borrowed: requests are about its
 * directory, its home and the programs of its PATH. */
struct engine *engine_new(const struct seat *s, struct err *e);
void engine_free(struct engine *g);
DEFINE_CLEANUP(struct engine, engine_free)

struct engine_answer {
    char *command;
    const char *title;  /* what it does, or ""; owned by the engine, valid until
                           the next request */
    const char *shown;  /* the same in the person's language */
    const char *recipe; /* the name of its recipe; NULL: it was generated */
    const char *missing; /* the first program that is not installed, or NULL;
                            owned as the title */
    unsigned open; /* words in capitals for values that the request does not
                      have: PATH, NAME */
    enum recipe_risk risk;
    bool blind;  /* it changes something and there is a veto: it is not shown,
                    whatever its rank */
    bool covers; /* it would overwrite existing files, or write into .git */
    bool graver; /* the first command of its recipe does less */
    bool slight; /* it accounts for at most one of several words with a
                    meaning */
    double score;
};

struct engine_answers {
    struct engine_answer v[ENGINE_ANSWERS]; /* best first */
    size_t n;
    double confidence; /* 0..1: that the first one is what was meant */
    bool sure; /* the confidence is at least ENGINE_SURE, without veto */
    bool near; /* the confidence is at least ENGINE_NEAR */
    char lost[REQUEST_STEM_MAX];   /* the first word of the request that the
                                      first answer does not use, or "" */
    char doubt[ENGINE_DOUBT_SIZE]; /* the veto against the first, "leaves out
                                      x", or "" */
    char shown_doubt[ENGINE_DOUBT_SIZE]; /* in the person's language */
};

/* Answers a request. The caller frees *out with engine_answers_done(). n is 0
 * when nothing fits. ERR_NOMEM. */
int engine_ask(struct engine *g, const char *text, struct engine_answers *out,
               struct err *e);
void engine_answers_done(struct engine_answers *a); /* accepts NULL */

/* A step of a plan; the slots of its command are filled. */
struct engine_step {
    char *description, *command;
    char *shown; /* the description in the person's language; or NULL: as it
                    is */
    enum recipe_risk risk;
};

#define ENGINE_PROGRAM_SIZE 32

struct engine_plan {
    const char *title, *recipe;
    const char *shown; /* the title in the person's language */
    struct engine_step steps[RECIPE_STEPS_MAX];
    size_t n;
    unsigned open;                     /* as in engine_answer, over all steps */
    char missing[ENGINE_PROGRAM_SIZE]; /* the first program that is not
                                          installed, or "" */
    double confidence;
    bool covers; /* as in engine_answer */
    bool sure;   /* as in engine_answers, and every word is used */
    bool near;   /* at most one word is not used */
    char lost[REQUEST_STEM_MAX]; /* the first word that no step uses, or "" */
};

/* Plans the job that fits best; n is 0 when none does. The caller frees *out
 * with engine_plan_done(). ERR_NOMEM. */
int engine_plan(struct engine *g, const char *text, struct engine_plan *out,
                struct err *e);
void engine_plan_done(struct engine_plan *p); /* accepts NULL */

/* Writes the object that `agentsh offline` prints: {"candidates":[...],
 * "confidence":0..1}. There are no candidates when nothing is near. */
void engine_json(const struct engine_answers *a, struct json_writer *w);

/* The same with reasons: the words of the last request as they were read, the
 * recipes that were found, and every candidate in order with its features. */
void engine_why(const struct engine *g, const struct engine_answers *a,
                struct json_writer *w);

#endif
