/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - a plan's question on the screen, until it has a verdict. */
#include "person/question.h"

#include <stdio.h>
#include <string.h>

#include "offline/explain.h"
#include "person/edit.h"
#include "person/remember.h"
#include "person/show_plan.h"
#include "term/clip.h"
#include "term/menu.h"
#include "term/style.h"

#define SHOWN_MAX (8u << 20)
#define TEXT_MAX  80
#define DIGITS    9 /* steps that one key can name */

/* Order: what each question offers is a run of rows. */
static const struct menu_row all_rows[] = {
    {'r', "run", "run the plan, every step of it"},
    {'s', "step", "run it, but ask before each step"},
    {'p', "preview", "run it in a view of this directory, then keep or drop"},
    {'a', "always", "run it, and remember rules that allow it from now on"},
    {'e', "edit", "change a command in your editor, then review again"},
    {'x', "explain", "what the commands mean, from the manual pages"},
    {'c', "copy", "send the commands to the clipboard"},
    {'q', "quit", "run nothing"},
    {0},
};
static const struct menu_row step_rows[] = {
    {'r', "run", "run this step"},
    {'s', "skip", "go on without this step"},
    {'x', "explain", "what the command means, from the manual pages"},
    {'q', "quit", "stop here"},
    {0},
};
static const struct menu_row remember_rows[] = {
    {'y', "yes", "add them, and run the plan"},
    {'q', "back", "add nothing"},
    {0},
};
static const struct menu_row failed_rows[] = {
    {'r', "retry", "run this step again"},
    {'s', "skip", "go on with the next step"},
    {'q', "quit", "stop here"},
    {0},
};

struct question {
    struct app *app;
    struct aiaction *action;
    const struct plan *plan;
    enum plan_question kind;
    size_t step;
    struct menu *menu;
    struct menu_spec spec;
    struct menu_row digits[DIGITS + 1]; /* which step to edit */
    char labels[DIGITS][TEXT_MAX];
    char text[TEXT_MAX];
    bool choosing;            /* the menu asks which step to edit */
    struct remember remember; /* rules that the menu asks about; n 0: none */
    bool done;
    question_cb *cb;
    void *arg;
    struct question_answer answer;
};

static void on_key(void *arg, char key, const struct err *why);

bool
question_is_open(const struct question *q)
{
    return !q->done;
}

void
question_close(struct question *q)
{
    if (!q)
        return;
    menu_close(q->menu);
    remember_done(&q->remember);
    free(q);
}

static void
answer(struct question *q)
{
    menu_close(q->menu);
    q->menu = NULL;
    q->done = true;
    q->cb(q->arg, &q->answer); /* may free q */
}

static void
give_up(struct question *q, const struct err *why)
{
    q->answer.why = *why;
    answer(q);
}

static void
put_menu(struct question *q, const struct menu_row *rows, const char *text)
{
    struct err e = {0};

    menu_close(q->menu);
    q->spec = (struct menu_spec){.question = text, .rows = rows, .enter = 'q'};
    q->menu = menu_open(q->app->loop, &q->app->screen, &q->spec, on_key, q, &e);
    if (!q->menu)
        give_up(q, &e);
}

/* The word yes, after the step that asks for it was shown. */
static void
put_word(struct question *q)
{
    struct err e = {0};

    snprintf(q->text, sizeof(q->text),
             "Type yes to run step %zu: ", q->step + 1);
    q->menu = menu_open_word(q->app->loop, &q->app->screen, q->text, "yes",
                             on_key, q, &e);
    if (!q->menu)
        give_up(q, &e);
}

static void
put_question(struct question *q)
{
    switch (q->kind) {
    case PLAN_ASK_ALL:
        put_menu(q, all_rows, NULL);
        break;
    case PLAN_ASK_STEP:
        put_menu(q, step_rows, NULL);
        break;
    case PLAN_ASK_FAILED:
        put_menu(q, failed_rows, NULL);
        break;
    case PLAN_ASK_WORD:
        put_word(q);
        break;
    }
}

/* What the question is about, above it. */
static void
put_subject(struct question *q)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (q->kind == PLAN_ASK_STEP || q->kind == PLAN_ASK_WORD)
        show_step(&b, &q->app->screen, q->action, q->plan, q->step);
    if (q->kind == PLAN_ASK_FAILED)
        buf_printf(&b, "%s%s%s\n", style_on(&q->app->screen, STYLE_ERROR),
                   plan_trouble(q->plan),
                   style_off(&q->app->screen, STYLE_ERROR));
    (void)term_put(&q->app->screen, &b, NULL);
}

static void
explain_commands(struct question *q)
{
    bool one = q->kind != PLAN_ASK_ALL;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    for (size_t i = one ? q->step : 0; i < q->action->n; i++) {
        CLEANUP(explain_done) struct explain x = {0};

        if (explain_line(q->action->steps[i].command, &x, NULL) == 0)
            explain_text(&x, q->app->screen.columns, &b);
        buf_ch(&b, '\n');
        if (one)
            break;
    }
    (void)term_put(&q->app->screen, &b, NULL);
    put_question(q);
}

static void
copy_commands(struct question *q)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    struct err e = {0};

    for (size_t i = 0; i < q->action->n; i++)
        buf_printf(&b, "%s\n", q->action->steps[i].command);
    if (clip_copy(&q->app->screen, b.p, b.len, &e) < 0)
        app_note(q->app, "not copied: %s", e.text);
    else
        app_note(q->app, "sent to the clipboard");
    put_question(q);
}

static void
edit_step(struct question *q, size_t i)
{
    CLEANUP_BUF struct buf text = buf_of(AIACTION_COMMAND_MAX);
    struct err e = {0};

    menu_close(q->menu);
    q->menu = NULL;
    if (edit_text(q->app, q->action->steps[i].command, &text, &e) < 0 ||
        aiaction_set_command(q->action, i, text.p, &e) < 0) {
        app_note(q->app, "not edited: %s", e.text);
        put_question(q);
        return;
    }
    q->answer.edited = true;
    answer(q);
}

static void
choose_step(struct question *q)
{
    size_t n = q->action->n < DIGITS ? q->action->n : DIGITS;

    if (n == 1) {
        edit_step(q, 0);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(q->labels[i], TEXT_MAX, "%zu", i + 1);
        q->digits[i] = (struct menu_row){(char)('1' + i), q->labels[i],
                                         "edit the command of this step"};
    }
    q->digits[n] = (struct menu_row){'q', "back", "change nothing"};
    q->choosing = true;
    put_menu(q, q->digits, "Edit which step?");
}

/* Shows the rules first; the next key says whether they are added. */
static void
propose_rules(struct question *q)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);
    struct err e = {0};

    if (remember_propose(q->plan, q->action->n, &q->remember, &e) < 0) {
        remember_done(&q->remember);
        app_note(q->app, "%s", e.text);
        put_question(q);
        return;
    }
    remember_show(&q->remember, &b, &q->app->screen);
    (void)term_put(&q->app->screen, &b, NULL);
    put_menu(q, remember_rows, "Add?");
}

static void
on_remember_key(struct question *q, char key)
{
    struct err e = {0};
    bool added = key == 'y' && remember_keep(&q->remember, &e) == 0;

    remember_done(&q->remember);
    if (key == 'y' && !added)
        app_note(q->app, "not added: %s", e.text);
    if (!added) {
        put_question(q);
        return;
    }
    q->answer.verdict = PLAN_RUN;
    answer(q);
}

static void
on_all_key(struct question *q, char key)
{
    switch (key) {
    case 'r':
    case 's':
        q->answer.verdict = key == 'r' ? PLAN_RUN : PLAN_STEPS;
        answer(q);
        break;
    case 'p':
        q->answer.preview = true;
        answer(q);
        break;
    case 'a':
        propose_rules(q);
        break;
    case 'e':
        choose_step(q);
        break;
    case 'x':
        explain_commands(q);
        break;
    case 'c':
        copy_commands(q);
        break;
    default:
        answer(q);
    }
}

static void
on_step_key(struct question *q, char key)
{
    if (key == 'x') {
        explain_commands(q);
        return;
    }
    if (key == 'r' || key == 'y')
        q->answer.verdict = PLAN_RUN;
    else if (key == 's')
        q->answer.verdict = PLAN_SKIP;
    answer(q);
}

static void
on_key(void *arg, char key, const struct err *why)
{
    struct question *q = arg;

    if (why) {
        give_up(q, why);
        return;
    }
    if (q->choosing) {
        q->choosing = false;
        if (key == 'q')
            put_question(q);
        else
            edit_step(q, (size_t)(key - '1'));
        return;
    }
    if (q->remember.n > 0)
        on_remember_key(q, key);
    else if (q->kind == PLAN_ASK_ALL)
        on_all_key(q, key);
    else
        on_step_key(q, key);
}

struct question *
question_open(struct app *a, struct aiaction *action, const struct plan *plan,
              unsigned token, enum plan_question kind, size_t step,
              question_cb *cb, void *arg, struct err *e)
{
    struct question *q = calloc(1, sizeof(*q));

    if (!q) {
        err_set(e, ERR_NOMEM, "no memory");
        return NULL;
    }
    *q = (struct question){
        .app = a,
        .action = action,
        .plan = plan,
        .kind = kind,
        .step = step,
        .cb = cb,
        .arg = arg,
        .answer = {.token = token, .verdict = PLAN_QUIT},
    };
    put_subject(q);
    put_question(q);
    return q;
}
