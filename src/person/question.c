/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - a plan's question on the screen, until it has a verdict. */
#include "person/question.h"

#include <stdio.h>

#include "person/by_hand.h"
#include "person/question_in.h"
#include "person/show_plan.h"
#include "term/style.h"

bool
question_is_open(const struct question *q)
{
    return !q->done;
}

void
question_hide(struct question *q)
{
    menu_close(q->menu);
    q->menu = NULL;
}

void
question_close(struct question *q)
{
    if (!q)
        return;
    question_hide(q);
    remember_done(&q->remember);
    free(q);
}

void
question_end(struct question *q)
{
    question_hide(q);
    q->done = true;
    q->cb(q->arg, &q->answer); /* may free q */
}

static void
give_up(struct question *q, const struct err *why)
{
    q->answer.why = *why;
    question_end(q);
}

static void
on_key(void *arg, char key, const struct err *why)
{
    struct question *q = arg;
    const struct choice *c = q->choices;

    if (why) {
        give_up(q, why);
        return;
    }
    while (c->row.key && c->row.key != key)
        c++;
    if (c->chosen)
        c->chosen(q, key);
}

void
question_offer(struct question *q, const struct choice *choices,
               const char *text)
{
    struct err e = {0};
    size_t n = 0; /* never none: the last one changes nothing */

    for (; n < QUESTION_ROWS && choices[n].row.key; n++)
        q->rows[n] = choices[n].row;
    q->rows[n] = (struct menu_row){0};
    q->choices = choices;
    q->spec = (struct menu_spec){
        .question = text, .rows = q->rows, .enter = q->rows[n - 1].key};
    if (choices == question_choices(q->kind, q->by_hand) &&
        (q->kind == PLAN_ASK_ALL || q->kind == PLAN_ASK_SUDO))
        question_mark(q);
    question_hide(q);
    q->menu = menu_open(q->app->loop, &q->app->screen, &q->spec, on_key, q, &e);
    if (!q->menu)
        give_up(q, &e);
}

void
question_back(struct question *q, char key)
{
    (void)key;
    remember_done(&q->remember);
    question_put(q);
}

void
question_offer_steps(struct question *q, const char *text, const char *help,
                     question_key *chosen)
{
    size_t n = q->action->n < QUESTION_DIGITS ? q->action->n : QUESTION_DIGITS;

    for (size_t i = 0; i < n; i++) {
        snprintf(q->labels[i], QUESTION_TEXT, "%zu", i + 1);
        q->digits[i] = (struct choice){{(char)('1' + i), q->labels[i], help},
                                       chosen};
    }
    q->digits[n] = (struct choice){{'q', "back", "change nothing"},
                                   question_back};
    q->digits[n + 1] = (struct choice){{0}, NULL};
    question_offer(q, q->digits, text);
}

/* The word yes, after what it is asked for was shown. */
static void
put_word(struct question *q)
{
    struct err e = {0};

    if (q->kind == PLAN_ASK_NEED)
        snprintf(q->text, sizeof(q->text), "Type yes to run this as root: ");
    else
        snprintf(q->text, sizeof(q->text),
                 "Type yes to run step %zu: ", q->step + 1);
    q->choices = question_choices(q->kind, q->by_hand);
    q->menu = menu_open_word(q->app->loop, &q->app->screen, q->text, "yes",
                             on_key, q, &e);
    if (!q->menu)
        give_up(q, &e);
}

/* Which step is asked about, where no line above the question says so. */
static const char *
put_name(struct question *q)
{
    if (q->kind != PLAN_ASK_STEP || !q->shown)
        return NULL;
    snprintf(q->text, sizeof(q->text), "Step %zu:", q->step + 1);
    return q->text;
}

void
question_put(struct question *q)
{
    q->answer.repeated = q->asked;
    q->asked = true;
    if (q->kind == PLAN_ASK_WORD || q->kind == PLAN_ASK_NEED)
        put_word(q);
    else if (!question_offer_more(q))
        question_offer(q, question_choices(q->kind, q->by_hand), put_name(q));
}

/* What the question is about, above it. */
static void
put_subject(struct question *q)
{
    CLEANUP_BUF struct buf b = buf_of(QUESTION_SHOWN);
    char why[256];

    if ((q->kind == PLAN_ASK_ALL || q->kind == PLAN_ASK_SUDO) &&
        by_hand_needed(q->action, q->plan, why)) {
        q->by_hand = true;
        app_note(q->app, "%s: i puts it on your prompt", why);
    }
    if (!q->shown && (q->kind == PLAN_ASK_STEP || q->kind == PLAN_ASK_WORD))
        show_step(&b, &q->app->screen, q->action, q->plan, q->step);
    if (q->kind == PLAN_ASK_NEED)
        show_root(&b, &q->app->screen, plan_needed(q->plan));
    if (q->kind == PLAN_ASK_FAILED)
        buf_printf(&b, "%s%s%s\n", style_on(&q->app->screen, STYLE_ERROR),
                   plan_trouble(q->plan),
                   style_off(&q->app->screen, STYLE_ERROR));
    (void)term_put(&q->app->screen, &b, NULL);
}

int
question_open(struct app *a, struct aiaction *action, const struct plan *plan,
              unsigned token, const struct question_about *about,
              question_cb *cb, void *arg, struct question **out, struct err *e)
{
    struct question *q = calloc(1, sizeof(*q));

    if (!q)
        return err_nomem(e);
    *q = (struct question){
        .app = a,
        .action = action,
        .plan = plan,
        .kind = about->kind,
        .step = about->step,
        .shown = about->shown,
        .takes_words = about->takes_words,
        .cb = cb,
        .arg = arg,
        .answer = {.token = token, .verdict = PLAN_QUIT},
    };
    if (about->folded) {
        q->folded = *about->folded;
        q->unfolds = show_can_unfold(action, plan, about->folded);
    }
    *out = q;
    put_subject(q);
    question_put(q);
    return 0;
}
