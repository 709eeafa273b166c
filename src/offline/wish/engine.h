/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - a wish in, commands or a plan out, without a model. */
#ifndef OFFLINE_ENGINE_H
#define OFFLINE_ENGINE_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "offline/recipe/recipe.h"
#include "json/write.h"

#define ENGINE_ANSWERS 8

/* The confidence says how often answers of its kind name the right program.
 *
 * From here on the first command may be proposed for running: of wishes that
 * nobody had seen, .85 of what is at least so sure is right. */
#define ENGINE_SURE 0.65
/* The same where every word of the wish is accounted for and nothing is left
 * open: short wishes in everyday words have no rivals that would say more. */
#define ENGINE_SURE_OF_ALL 0.45
/* From here on something is near, and worth showing; below it no recipe and no
 * composer knows the words of the wish. One wish in five hundred is. */
#define ENGINE_NEAR 0.12

#define ENGINE_DOUBT_SIZE 128

struct engine; /* the index that is compiled in, and what is installed here */

struct engine *engine_new(struct err *e);
void engine_free(struct engine *g);
DEFINE_CLEANUP(struct engine, engine_free)

struct engine_answer {
    char *command;
    const char *title;   /* what it does; "" for what has no words of its own;
                            the engine's, until the next wish */
    const char *recipe;  /* its name; NULL: composed */
    const char *missing; /* the first program that is not installed; NULL;
                            the engine's, as the title */
    unsigned open;       /* words in capitals that stand for what was not
                            said: PATH, NAME */
    enum recipe_risk risk;
    bool blind;  /* it changes something and is doubted, whatever place it has:
                    nobody is shown it */
    bool covers; /* it would write over what is there, or into .git */
    bool graver; /* the recipe's first way does less */
    bool slight; /* of the several words that say something in the wish, it
                    accounts for one at most */
    double score;
};

struct engine_answers {
    struct engine_answer v[ENGINE_ANSWERS]; /* best first */
    size_t n;
    double confidence; /* 0..1: that the first is what was meant */
    bool sure;         /* confidence is at least ENGINE_SURE, and no doubt */
    bool near;         /* confidence is at least ENGINE_NEAR */
    char lost[REQUEST_STEM_MAX];   /* "" or the first word of the wish that
                                      the first knows nothing of */
    char doubt[ENGINE_DOUBT_SIZE]; /* "" or of the first: "leaves out x" */
};

/* ERR_NOMEM alone; a wish that nothing fits has n of 0. */
int engine_ask(struct engine *g, const char *wish, struct engine_answers *out,
               struct err *e);
void engine_answers_done(struct engine_answers *a); /* accepts NULL */

/* A job: the steps of a plan, each command with its slots filled. */
struct engine_step {
    char *description, *command;
    enum recipe_risk risk;
};

#define ENGINE_PROGRAM_SIZE 32

struct engine_plan {
    const char *title, *recipe;
    struct engine_step steps[RECIPE_STEPS_MAX];
    size_t n;
    unsigned open;                     /* as in engine_answer, of all steps */
    char missing[ENGINE_PROGRAM_SIZE]; /* "" or the first program that it
                                          starts and that is not installed */
    double confidence;
    bool covers; /* as in engine_answer */
    bool sure;   /* as in engine_answers, and no word of the wish is lost */
    bool near;   /* one word is lost, no more */
    char lost[REQUEST_STEM_MAX]; /* "" or the first that no step knows */
};

/* The job that fits best; n is 0 when none does. */
int engine_plan(struct engine *g, const char *wish, struct engine_plan *out,
                struct err *e);
void engine_plan_done(struct engine_plan *p); /* accepts NULL */

/* Appends the one object of `agentsh offline`: {"candidates":[…],
 * "confidence":0..1}; no candidates when nothing is near. */
void engine_write(const struct engine_answers *a, struct json_writer *w);

/* The same for who wants to know why: of the last wish the words as they were
 * read, the recipes found, and all candidates in their order with what spoke
 * for each. */
void engine_why(const struct engine *g, const struct engine_answers *a,
                struct json_writer *w);

#endif
