/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inquiry.c - a wish, a model's looks, its answer, and a chance to mend it. */
#include "action/inquiry.h"

#include <stdio.h>
#include <string.h>

#include "action/summary.h"
#include "action/talk.h"
#include "base/redact.h"
#include "model/prompt/origin.h"
#include "model/prompt/prompt.h"

#define REPAIR_MAX 4096 /* our own words and a reason of 256 bytes */
/* What came of the steps, and the marks around it. */
#define RESULTS_MAX (2u * LOOK_BYTES_MAX)
/* A model that goes on looking when it was told that it may not. */
#define STUBBORN_MAX 2

struct inquiry {
    struct model *model;
    struct inquiry_wish wish;
    const struct inquiry_events *ev;
    void *arg;
    struct talk *talk;
    struct summary *summary; /* finds an answer's text as it streams */
    struct inquiry_facts facts;
    struct origin origin; /* of all that was sent */
    char model_name[64];  /* of the last one that looked */
    int rounds;           /* answers so far, whatever was in them */
    bool second;          /* the last answer was unusable already */
    bool useful;          /* one call of this round could be made */
    bool asking;          /* the model is asked, or else it looks */
    bool spent;           /* it could look before, and now no more */
};

void
inquiry_free(struct inquiry *q)
{
    if (!q)
        return;
    if (q->wish.look)
        look_stop(q->wish.look);
    summary_free(q->summary);
    talk_free(q->talk);
    free(q);
}

static void on_answer(void *arg, const struct model_answer *a);

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct inquiry *q = arg;

    if (q->summary)
        summary_add(q->summary, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct inquiry *q = arg;

    if (q->ev->waiting)
        q->ev->waiting(q->arg, line);
}

static int
limit_reached(const struct inquiry *q, struct err *e)
{
    return err_set(e, ERR_ANSWER,
                   "tool call limit reached, and %.48s still gave no answer. "
                   "To do: use other words, or another model with -m",
                   q->model_name);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct inquiry *q = arg;
    struct err limit = {0};

    q->asking = false;
    if (q->spent && why->kind == ERR_KIND_UNDECLARED_TOOL) {
        limit_reached(q, &limit);
        why = &limit;
    }
    q->ev->failed(q->arg, why);
}

static void
on_summary(void *arg, const char *bytes, size_t n)
{
    struct inquiry *q = arg;

    q->ev->text(q->arg, bytes, n);
}

void
inquiry_fill(const struct look *k, int rounds, struct model_request *r)
{
    *r = (struct model_request){
        .system = prompt_text(PROMPT_SYSTEM),
        .schema = prompt_aiaction_schema(),
    };
    if (k && rounds < LOOK_ROUNDS_MAX - 1)
        r->tools = look_tools(k, &r->n_tools);
}

/* The next question: what was said so far, and the tools while it may look.
 * Each answer is read along from its beginning. */
static int
ask(struct inquiry *q, struct err *e)
{
    static const struct model_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .answer = on_answer,
        .failed = on_failed,
    };
    struct model_request r;

    inquiry_fill(q->wish.look, q->rounds, &r);
    q->spent = q->model_name[0] && r.n_tools == 0;
    r.turns = talk_turns(q->talk, &r.n_turns);
    origin_note_request(&q->origin, &r);
    summary_free(q->summary);
    q->summary = NULL;
    if (q->ev->text && !(q->summary = summary_new(on_summary, q, e)))
        return -1;
    if (model_ask(q->model, &r, &events, q, e) < 0)
        return -1;
    q->asking = true;
    return 0;
}

static void
ask_or_fail(struct inquiry *q)
{
    struct err e = {0};

    if (ask(q, &e) < 0)
        q->ev->failed(q->arg, &e);
}

/* Tokens add up over the rounds; one untold makes the sum untold. */
static void
add_facts(struct inquiry *q, const struct model_answer *a)
{
    struct inquiry_facts *f = &q->facts;

    f->model = a->model;
    f->ms += a->ms;
    f->tokens_in = f->tokens_in < 0 || a->tokens_in < 0
                       ? -1
                       : f->tokens_in + a->tokens_in;
    f->tokens_out = f->tokens_out < 0 || a->tokens_out < 0
                        ? -1
                        : f->tokens_out + a->tokens_out;
}

static void
on_looking(void *arg, const char *line)
{
    struct inquiry *q = arg;

    if (q->ev->looking)
        q->ev->looking(q->arg, line);
}

static void
on_looked(void *arg, const struct model_tool_call *w, const struct look_call *c,
          const char *told)
{
    struct inquiry *q = arg;
    struct err e = {0};

    if (talk_result(q->talk, w, told, c->outside, c->failed, &e) < 0) {
        look_stop(q->wish.look);
        q->ev->failed(q->arg, &e);
        return;
    }
    q->useful |= !c->malformed;
    if (q->ev->looked)
        q->ev->looked(q->arg, c);
}

/* Calls that nobody could make are an answer that cannot be used: the model
 * knows why by their results, and has one chance to do better. */
static void
on_looks_done(void *arg)
{
    struct inquiry *q = arg;
    bool again = q->second && !q->useful;
    struct err why = {0};

    q->second = !q->useful;
    if (!again) {
        on_looking(q, NULL);
        ask_or_fail(q);
        return;
    }
    err_set(&why, ERR_ANSWER,
            "%.48s twice called unknown tools, or with invalid arguments. To "
            "do: use other words, or another model with -m",
            q->model_name);
    q->ev->failed(q->arg, &why);
}

static int
look(struct inquiry *q, const struct model_answer *a, struct err *e)
{
    static const struct look_events events = {
        .looking = on_looking, .looked = on_looked, .done = on_looks_done};
    const struct model_turn *turns;
    size_t n;

    if (!q->wish.look)
        return err_set(e, ERR_ANSWER,
                       "%.48s called a tool that was not offered",
                       a->model ? a->model : "the model");
    if (q->rounds >= LOOK_ROUNDS_MAX + STUBBORN_MAX)
        return limit_reached(q, e);
    if (talk_assistant(q->talk, a, e) < 0)
        return -1;
    q->useful = false;
    snprintf(q->model_name, sizeof(q->model_name), "%s",
             a->model ? a->model : "the model");
    turns = talk_turns(q->talk, &n);
    return look_start(q->wish.look, turns[n - 1].tool_calls,
                      turns[n - 1].n_tool_calls, &events, q, e);
}

/* The answer goes along, so that it can be mended. */
static int
ask_again(struct inquiry *q, const struct model_answer *a,
          const struct err *why, struct err *e)
{
    CLEANUP_BUF struct buf repair = buf_of(REPAIR_MAX);

    q->second = q->facts.repaired = true;
    if (talk_assistant(q->talk, a, e) < 0 ||
        prompt_repair(why->text, &repair, e) < 0 ||
        talk_user(q->talk, repair.p, NULL, e) < 0)
        return -1;
    if (q->ev->waiting)
        q->ev->waiting(q->arg, "invalid answer; asking again");
    return ask(q, e);
}

/* The reason for a program's eyes becomes a line for a person's. */
static void
tell_unusable(const struct model_answer *a, struct err *why)
{
    struct err inner = *why;

    err_set(why, inner.code,
            "%.48s gave an invalid answer twice: %.110s. To do: use other "
            "words, or another model with -m",
            a->model ? a->model : "the model", inner.text);
}

static void
take_action(struct inquiry *q, const struct model_answer *a,
            struct aiaction *action)
{
    struct err e = {0};

    q->second = false;
    if (action->kind != ANSWER_ONLY && talk_assistant(q->talk, a, &e) < 0) {
        aiaction_free(action);
        q->ev->failed(q->arg, &e);
        return;
    }
    q->ev->proposed(q->arg, action, &q->facts);
}

static void
on_answer(void *arg, const struct model_answer *a)
{
    struct inquiry *q = arg;
    struct err why = {0}, e = {0};
    struct aiaction *action;

    q->asking = false;
    q->rounds++;
    add_facts(q, a);
    if (a->n_tool_calls > 0) {
        if (look(q, a, &e) < 0)
            q->ev->failed(q->arg, &e);
        return;
    }
    action = aiaction_parse(a->text, a->len, q->wish.mode, q->wish.tools, &why);
    if (action) {
        take_action(q, a, action);
        return;
    }
    if (!q->second && why.code == ERR_ANSWER) {
        if (ask_again(q, a, &why, &e) < 0)
            q->ev->failed(q->arg, &e);
        return;
    }
    tell_unusable(a, &why);
    q->ev->failed(q->arg, &why);
}

bool
inquiry_may_go_on(const struct inquiry *q)
{
    return q->rounds < LOOK_ROUNDS_MAX;
}

const char *
inquiry_outside(const struct inquiry *q)
{
    return origin_outside(&q->origin);
}

int
inquiry_results(struct inquiry *q, const char *results, size_t n, struct err *e)
{
    CLEANUP_BUF struct buf told = buf_of(RESULTS_MAX);

    if (prompt_data(PROMPT_STEPS, results, n, &told) < 0)
        return buf_ok(&told, "the output of the steps", e);
    if (talk_user(q->talk, told.p, "the output of the steps", e) < 0)
        return -1;
    return ask(q, e);
}

int
inquiry_revise(struct inquiry *q, const char *words, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(RESULTS_MAX);

    buf_str(&text, prompt_text(PROMPT_REVISE));
    redact(words, strlen(words), &text);
    buf_ch(&text, '\n');
    if (buf_ok(&text, "the words", e) < 0 ||
        talk_user(q->talk, text.p, NULL, e) < 0)
        return -1;
    return ask(q, e);
}

void
inquiry_cancel(struct inquiry *q)
{
    struct err why = {0};

    if (q->asking) {
        model_cancel(q->model);
        return;
    }
    if (q->wish.look)
        look_stop(q->wish.look);
    err_set(&why, ERR_INTERRUPTED, "interrupted");
    q->ev->failed(q->arg, &why);
}

struct inquiry *
inquiry_start(struct model *m, const struct inquiry_wish *w,
              const struct inquiry_events *ev, void *arg, struct err *e)
{
    CLEANUP(inquiry_free_p) struct inquiry *q = calloc(1, sizeof(*q));

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->model = m;
    q->wish = *w;
    q->ev = ev;
    q->arg = arg;
    q->talk = talk_new(e);
    if (!q->talk || talk_user(q->talk, w->user, w->outside, e) < 0 ||
        ask(q, e) < 0)
        return NULL;
    return TAKE_PTR(q);
}
