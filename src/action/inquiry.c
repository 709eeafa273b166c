/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inquiry.c - a wish, a model's answer, and one chance to mend it. */
#include "action/inquiry.h"

#include <string.h>

#include "action/summary.h"
#include "base/utf8.h"
#include "model/prompt.h"

#define ANSWER_KEPT (64u << 10) /* of an unusable answer, to show it again */
#define REPAIR_MAX  4096        /* our own words and a reason of 256 bytes */

struct inquiry {
    struct model *model;
    enum aiaction_mode mode;
    char *user;
    struct buf answer; /* the unusable one, while it is asked again */
    struct buf repair;
    const struct inquiry_events *ev;
    void *arg;
    struct summary *summary; /* finds an answer's text as it streams */
    struct inquiry_facts facts;
    bool second;
};

void
inquiry_free(struct inquiry *q)
{
    if (!q)
        return;
    summary_free(q->summary);
    buf_done(&q->answer);
    buf_done(&q->repair);
    free(q->user);
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

static void
on_failed(void *arg, const struct err *why)
{
    struct inquiry *q = arg;

    q->ev->failed(q->arg, why);
}

static int
ask(struct inquiry *q, struct err *e)
{
    static const struct model_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .answer = on_answer,
        .failed = on_failed,
    };
    const struct model_turn turns[] = {
        {.role = MODEL_USER, .text = q->user},
        {.role = MODEL_ASSISTANT, .text = q->answer.p},
        {.role = MODEL_USER, .text = q->repair.p},
    };
    const struct model_request r = {
        .system = prompt_text(PROMPT_SYSTEM),
        .turns = turns,
        .n_turns = q->second ? 3 : 1,
        .schema = prompt_aiaction_schema(),
    };

    return model_ask(q->model, &r, &events, q, e);
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

/* The second round. The first answer goes along, so that it can be mended. */
static int
ask_again(struct inquiry *q, const struct model_answer *a,
          const struct err *why, struct err *e)
{
    q->second = q->facts.repaired = true;
    buf_add(&q->answer, a->text,
            utf8_boundary(a->text, strnlen(a->text, a->len), ANSWER_KEPT));
    if (buf_ok(&q->answer, "the answer", e) < 0 ||
        prompt_repair(why->text, &q->repair, e) < 0)
        return -1;
    if (q->ev->waiting)
        q->ev->waiting(q->arg, "the answer cannot be used; asking once more");
    return ask(q, e);
}

/* The reason for a program's eyes becomes a line for a person's. */
static void
tell_unusable(const struct model_answer *a, struct err *why)
{
    struct err inner = *why;

    err_set(why, inner.code,
            "%.48s gave no answer that can be used, asked twice: %.110s. To "
            "do: use other words, or another model with -m",
            a->model ? a->model : "the model", inner.text);
}

static void
on_answer(void *arg, const struct model_answer *a)
{
    struct inquiry *q = arg;
    struct err why = {0}, e = {0};
    struct aiaction *action;

    add_facts(q, a);
    action = aiaction_parse(a->text, a->len, q->mode, NULL, &why);
    if (action) {
        q->ev->proposed(q->arg, action, &q->facts);
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

static void
on_summary(void *arg, const char *bytes, size_t n)
{
    struct inquiry *q = arg;

    q->ev->text(q->arg, bytes, n);
}

struct inquiry *
inquiry_start(struct model *m, enum aiaction_mode mode, const char *user,
              const struct inquiry_events *ev, void *arg, struct err *e)
{
    CLEANUP(inquiry_free_p) struct inquiry *q = calloc(1, sizeof(*q));

    if (!q || !(q->user = strdup(user))) {
        err_set(e, ERR_NOMEM, "no memory");
        return NULL;
    }
    q->model = m;
    q->mode = mode;
    q->ev = ev;
    q->arg = arg;
    buf_init(&q->answer, ANSWER_KEPT);
    buf_init(&q->repair, REPAIR_MAX);
    if (ev->text && !(q->summary = summary_new(on_summary, q, e)))
        return NULL;
    if (ask(q, e) < 0)
        return NULL;
    return TAKE_PTR(q);
}
