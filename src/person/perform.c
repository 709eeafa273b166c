/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perform.c - a plan with a person in front of it: shown, asked, run. */
#include "person/perform.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "person/by_hand.h"
#include "person/chronicle.h"
#include "person/plan_view.h"
#include "person/question.h"
#include "person/report.h"
#include "person/show_plan.h"
#include "person/stage.h"
#include "person/stops.h"
#include "term/menu.h"

#define SHOWN_MAX      (8u << 20)
#define QUESTION_LINES 4   /* of the keys on a narrow screen, and an answer */
#define FACTS_MAX      256 /* a model's name, and three figures */

/* A performance: what the plan's callbacks share. */
struct performance {
    struct app *app;
    const struct wish *wish;
    const struct proposal *proposal;
    struct aiaction *action;
    struct outcome *outcome; /* NULL: nobody waits for it */
    struct plan *plan;
    struct stage *stage;
    struct report *report;
    struct question *question; /* on the screen now */
    enum plan_question asked;  /* it is about */
    size_t asked_step;
    struct grant grants[AIACTION_STEPS_MAX];
    struct plan_end end;
    size_t ended; /* the step behind the last one that ran */
    bool begun;   /* a step did */
    bool over;    /* end is there */
    struct plan_view view;
    const struct inquiry_facts *costs; /* NULL: no model was asked */
    char facts[FACTS_MAX];
    struct plan_checks folded;
    bool folds;    /* a key shows what the plan leaves out */
    bool shown;    /* the plan is on the screen */
    bool fresh;    /* and nothing came after it */
    bool changed;  /* a step was edited: review again */
    bool left_out; /* the person went on without a step */
    bool by_hand;  /* the person runs it: hand is for their prompt */
    struct buf hand;
    bool stopped; /* by a signal: what is queued for readers is given up */
};

static void
on_complete(void *arg, const struct plan_end *end)
{
    struct performance *p = arg;

    p->end = *end;
    p->over = true;
}

static void
on_step_begin(void *arg, size_t step)
{
    struct performance *p = arg;

    p->fresh = false;
    p->begun = true;
    chronicle_step(p->app, p->action, p->plan, step);
    stage_begin(p->stage, step);
}

static void
on_need(void *arg, size_t step, const char *const *argv, enum plan_need how)
{
    struct performance *p = arg;

    chronicle_need(p->app, step, argv, how);
    stage_root(p->stage, how == PLAN_NEED_STEP ? argv : NULL);
}

static void
on_output(void *arg, size_t step, const char *stream, const char *bytes,
          size_t n)
{
    struct performance *p = arg;

    stage_output(p->stage, step, stream, bytes, n);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct performance *p = arg;

    chronicle_result(p->app, p->action, step, end);
    stage_end(p->stage, step, end);
    if (p->outcome)
        outcome_add(p->outcome, &p->action->steps[step], end);
    p->ended = step + 1;
}

static void
record_choice(struct performance *p, const struct question_answer *answer)
{
    char words[MENU_LINE_MAX + sizeof("words: ")];
    bool granted = answer->gain.kind != DENIAL_REMEDY_NONE;
    const char *what = granted             ? chronicle_grant(&answer->gain)
                       : answer->ungranted ? "take back what was granted"
                       : answer->edited    ? "edit"
                       : answer->preview   ? "preview"
                       : answer->insert    ? "insert"
                       : answer->words     ? words
                                           : chronicle_verdict(answer->verdict);

    if (answer->words)
        snprintf(words, sizeof(words), "words: %s", answer->words);
    chronicle_decision(p->app, p->asked, p->asked_step, what);
}

/* Nothing runs here: scripts are told so by the status. */
static void
leave_to_person(struct performance *p, unsigned token)
{
    p->by_hand = true;
    by_hand_text(p->action, p->plan, &p->hand);
    plan_answer(p->plan, token, PLAN_QUIT);
    err_set(&p->end.why, ERR_DENIED,
            "left for your own prompt: nothing was run");
}

/* Reviewed again with it, or run again at once where that was the question. */
static void
give_more(struct performance *p, const struct question_answer *answer)
{
    enum plan_verdict verdict = PLAN_MORE;
    struct err e = {0};

    if (grant_add(&p->grants[answer->step], &answer->gain, &e) < 0) {
        app_note(p->app, "not granted: %s", e.text);
        verdict = PLAN_QUIT;
    }
    if (answer->verdict == PLAN_MORE)
        plan_answer(p->plan, answer->token, verdict);
    else
        p->changed = true;
}

/* What the person chose. Questions that are no verdict (explain, copy) are
 * dealt with by the question itself. */
static void
on_choice(void *arg, const struct question_answer *answer)
{
    struct performance *p = arg;
    unsigned token = answer->token;

    if (answer->why.code != ERR_NONE) {
        plan_cancel(p->plan);
        p->end.why = answer->why;
        return;
    }
    record_choice(p, answer);
    if (answer->repeated)
        p->fresh = false;
    if (answer->insert) {
        leave_to_person(p, token);
        return;
    }
    if (answer->words) {
        buf_str(p->proposal->words, answer->words);
        p->changed = true;
        return;
    }
    if (answer->gain.kind != DENIAL_REMEDY_NONE) {
        give_more(p, answer);
        return;
    }
    if (answer->edited || answer->ungranted)
        grant_done(&p->grants[answer->step]); /* it was for this command */
    if (answer->edited || answer->ungranted || answer->preview) {
        p->changed = true;
        p->view.wanted |= answer->preview;
        p->view.by_key = answer->preview;
        return;
    }
    p->left_out |= answer->verdict == PLAN_SKIP && p->asked != PLAN_ASK_FAILED;
    plan_answer(p->plan, token, answer->verdict);
}

/* Whether it is on the screen whole, with the question below it. */
static bool
fits_screen(const struct term *t, const struct buf *shown)
{
    int lines = QUESTION_LINES;

    for (size_t i = 0; i < shown->len; i++)
        lines += shown->p[i] == '\n';
    return lines <= t->rows;
}

/* The plan as it is reviewed. Nothing is asked before it was shown. */
static void
show_once(struct performance *p)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (!p->shown)
        show_plan(&b, &p->app->screen, p->action, p->plan,
                  &(struct show_how){.facts = p->facts,
                                     .folded = &p->folded,
                                     .keys = p->folds});
    if (!p->shown)
        p->fresh = fits_screen(&p->app->screen, &b);
    p->shown = true;
    (void)term_put(&p->app->screen, &b, NULL);
}

static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    struct performance *p = arg;
    struct question_about about = {
        .kind = q, .step = step, .takes_words = p->proposal->words != NULL};
    struct err e = {0};

    if (q == PLAN_ASK_NEED)
        stage_interrupt(p->stage);
    stage_hide(p->stage);
    if (p->view.by_key && q == PLAN_ASK_ALL) { /* the key was the answer */
        plan_answer(p->plan, token, PLAN_RUN);
        return;
    }
    show_once(p);
    question_close(p->question);
    p->asked = q;
    p->asked_step = step;
    p->question = NULL;
    about.folded = p->folds ? &p->folded : NULL;
    about.shown = p->fresh && !plan_checks_has(&p->folded, step, p->action->n);
    if (question_open(p->app, p->action, p->plan, token, &about, on_choice, p,
                      &p->question, &e) < 0) {
        plan_cancel(p->plan);
        p->end.why = e;
    }
}

/* How those who read our output keep up. */
static void
on_reader(void *arg, enum outqueue_state state)
{
    struct performance *p = arg;

    p->app->reader_left |= state == OUTQUEUE_GONE;
    if (!p->plan)
        return;
    if (state == OUTQUEUE_GONE)
        plan_cancel(p->plan); /* as a pipe ends what writes into it */
    else
        plan_hold(p->plan, state == OUTQUEUE_FULL);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct performance *p = arg;

    /* a question on the screen has its own ears */
    if (p->question && question_is_open(p->question) && signo == SIGINT)
        return;
    p->stopped = true;
    plan_cancel(p->plan);
}

static void
on_stop(void *arg, unsigned signo)
{
    struct performance *p = arg;

    (void)signo;
    if (p->question && question_is_open(p->question))
        return;
    plan_signal(p->plan, SIGTSTP);
    stage_hide(p->stage);
    term_suspend(&p->app->screen);
    plan_signal(p->plan, SIGCONT);
}

/* Turns the loop until the plan is complete or a step was changed. */
static int
play(struct performance *p, struct err *e)
{
    CLEANUP(stops_done) struct stops stops;
    struct watch *stop = loop_signal(p->app->loop, SIGTSTP, on_stop, p, e);
    int rc = stops_init(&stops, p->app->loop, on_signal, p, e);

    if (rc == 0)
        plan_start(p->plan);
    while ((!p->over || !(p->stopped || stage_is_quiet(p->stage))) &&
           !p->changed && rc >= 0)
        rc = loop_turn(p->app->loop, -1, e);
    watch_free(stop);
    question_close(p->question);
    p->question = NULL;
    return rc < 0 ? -1 : 0;
}

/* What a model wrote, or a file holds, is shown whole. */
static void
fold(struct performance *p, bool can_ask)
{
    p->folds = can_ask && !p->wish->yes;
    p->folded = (struct plan_checks){0};
    if (p->folds && p->proposal->recipes)
        p->folded = plan_checks_find(p->action, p->plan);
}

/* Judges, shows and plays once. *again when a step was changed. */
static int
rehearse(struct performance *p, bool can_ask, bool *again, struct err *e)
{
    static const struct plan_events events = {
        .ask = on_ask,
        .step_begin = on_step_begin,
        .need = on_need,
        .output = on_output,
        .step_complete = on_step_complete,
        .complete = on_complete,
    };
    struct plan_setting set = {
        .policy = p->app->policy,
        .config = p->app->config,
        .registry = p->app->registry,
        .outside = p->proposal->outside,
        .grants = p->grants,
        .named = (const char *const *)p->app->named,
        .reports = p->outcome != NULL,
        .yes = p->wish->yes,
        .each_step = p->wish->each_step,
        .reduced = p->wish->reduced,
        .can_ask = can_ask,
        .colour = p->app->result.color,
    };
    int rc;

    p->changed = false;
    plan_free(p->plan);
    p->plan = NULL;
    if (plan_view_open(&p->view, p->app, p->action, e) < 0)
        return -1;
    set.preview = plan_view_of(&p->view);
    p->plan = plan_new(p->app->loop, p->action, &set, &events, p, e);
    if (!p->plan) {
        plan_view_forget(&p->view);
        return -1;
    }
    chronicle_plan(p->app, p->action, p->plan, p->costs);
    report_plan(p->report, p->plan);
    fold(p, can_ask);
    p->shown = p->fresh = false;
    if (p->app->output == OUTPUT_TEXT && !p->app->quiet && !p->view.by_key)
        show_once(p);
    rc = play(p, e);
    *again = p->changed;
    if (p->over && plan_view_is_refused(&p->view, p->app, p->plan, &p->end)) {
        p->over = false;
        *again = true;
    }
    return rc;
}

static void
performance_done(struct performance *p)
{
    question_close(p->question);
    plan_free(p->plan);
    plan_view_done(&p->view);
    stage_free(p->stage);
    report_free(p->report);
    buf_done(&p->hand);
    for (size_t i = 0; i < AIACTION_STEPS_MAX; i++)
        grant_done(&p->grants[i]);
}

/* Whether the model is to see what came of the steps: something ran to its
 * end, good or bad, and the person did not stop it. */
static bool
is_wanted(const struct performance *p)
{
    enum err_code code = p->end.why.code;

    return p->outcome && p->end.executed > 0 &&
           (code == ERR_NONE || code == ERR_TOOL || code == ERR_TIMEOUT);
}

/* The run goes on with another plan. */
static int
hand_over(struct performance *p)
{
    const struct err *why = &p->end.why;
    int status = err_exit_status(why->code);

    for (size_t i = p->ended; i < p->action->n; i++)
        outcome_add(p->outcome, &p->action->steps[i], NULL);
    p->outcome->wanted = true;
    report_keep(p->report, why, status);
    app_note(p->app, "%s%sthe model is sent the output of the steps", why->text,
             why->text[0] ? "; " : "");
    return status;
}

/* What the person decided against did not happen, which scripts are told by
 * the status alone: the person knows. Returns whether there was such. */
static bool
was_declined(struct performance *p, const char *unkept)
{
    if (p->end.why.code != ERR_NONE || is_wanted(p) || !(unkept || p->left_out))
        return false;
    err_set(&p->end.why, ERR_DENIED, "%s",
            unkept ? unkept : "a step was skipped");
    return true;
}

/* Says how it ended and returns the exit status. */
static int
finish(struct performance *p)
{
    const struct err *why = &p->end.why;
    bool declined;
    int status;

    stage_free(p->stage);
    p->stage = NULL;
    if (!p->begun) /* of a view in which nothing ran there is nothing to say */
        plan_view_forget(&p->view);
    declined = was_declined(p, plan_view_finish(&p->view, p->app, &p->end.why));
    status = err_exit_status(why->code);
    if (!is_wanted(p))
        chronicle_end(p->app, why, status);
    report_end(p->report, &p->end);
    if (is_wanted(p))
        return hand_over(p);
    report_write(p->report, why, status);
    if (p->by_hand)
        by_hand_give(p->app, &p->hand);
    if (declined || p->by_hand ||
        (p->app->reader_left && why->code == ERR_INTERRUPTED))
        return status;
    if (why->code != ERR_NONE)
        app_say(p->app, why);
    if (why->code == ERR_DENIED) {
        CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

        show_refused(&b, &p->app->screen, p->action, p->plan);
        (void)term_put(&p->app->screen, &b, NULL);
    }
    return status;
}

static bool
is_reworded(const struct performance *p)
{
    return p->proposal->words && p->proposal->words->len > 0;
}

int
perform(struct app *a, const struct wish *w, const struct proposal *proposal,
        struct outcome *out)
{
    const struct inquiry_facts *facts = proposal->asked ? &proposal->facts
                                                        : NULL;
    CLEANUP(performance_done)
    struct performance p = {.app = a,
                            .wish = w,
                            .proposal = proposal,
                            .action = proposal->action,
                            .costs = facts,
                            .view.wanted = w->preview,
                            .hand = buf_of(BY_HAND_MAX)};
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);
    struct err e = {0};
    bool can_ask = term_keys(&a->screen, NULL) == 0, again = true;

    if (proposal->may_go_on && p.action->wants_results)
        p.outcome = out;
    if (facts)
        show_facts(&line, &a->screen, proposal->model, facts, a->config);
    snprintf(p.facts, sizeof(p.facts), "%s", line.p);
    p.report = report_new(a, p.action, facts, &e);
    if (p.report)
        p.stage = stage_new(a, p.action, p.report, on_reader, &p, &e);
    if (!p.stage)
        return app_fail(a, &e);
    while (again) {
        if (rehearse(&p, can_ask, &again, &e) < 0)
            return app_fail(a, &e);
        if (is_reworded(&p))
            return 0; /* there will be another plan */
    }
    return finish(&p);
}
