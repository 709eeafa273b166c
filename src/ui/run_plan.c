/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_plan.c - shows a plan, asks for approval, runs it and reports. */
#include "ui/run_plan.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/plan.h"
#include "action/run_audit.h"
#include "term/menu.h"
#include "ui/plan_text.h"
#include "ui/preview.h"
#include "ui/report_json.h"
#include "ui/review.h"
#include "ui/step_output.h"
#include "ui/stop_signals.h"
#include "ui/user_shell.h"

#define SHOWN_MAX      (8u << 20)
#define QUESTION_LINES 4   /* the keys on a narrow screen, and an answer */
#define FACTS_MAX      256 /* bytes: a model's name, and three figures */

/* The copy-on-write view that the steps may run in. */
struct plan_view {
    bool wanted; /* the steps are to run in a view */
    bool by_key; /* a key of the review said so: the plan is approved by it */
    struct preview *preview; /* NULL until it is open */
};

/* A view with changes that nobody decided about stays on the disk. */
static void
plan_view_done(struct plan_view *v)
{
    if (!v)
        return;
    preview_close(v->preview);
    v->preview = NULL;
}

/* Makes the view of the working directory, if it is wanted and not there. */
static int
plan_view_open(struct plan_view *v, struct app *a,
               const struct aiaction *action, struct err *e)
{
    const char *cwd;

    if (!v->wanted || v->preview)
        return 0;
    if (!(cwd = seat_need_dir(a->seat, e)))
        return -1;
    v->preview = preview_begin(a, cwd, action->steps[0].command, e);
    return v->preview ? 0 : -1;
}

/* For plan_setting.preview; NULL when the steps run for real. */
static const struct view *
plan_view_of(const struct plan_view *v)
{
    return v->preview ? preview_view(v->preview) : NULL;
}

/* Removes the view, in which nothing ran. */
static void
plan_view_forget(struct plan_view *v)
{
    if (v->preview)
        (void)preview_forget(v->preview, NULL);
    plan_view_done(v);
}

/* Whether the plan must be reviewed again, to run for real: a key asked for the
 * view, and a step cannot run in one. The user is told; the view is removed. */
static bool
plan_view_is_refused(struct plan_view *v, struct app *a, const struct plan *p,
                     const struct plan_end *end)
{
    if (!v->by_key || !plan_refuses(p))
        return false;
    app_note(a, "%s", end->why.text);
    plan_view_forget(v);
    *v = (struct plan_view){0};
    return true;
}

/* Shows the changes of the steps, and asks whether to keep them. *why is set
 * when that fails and was no failure yet. Returns why the changes are not in
 * the workspace, where the user decided so; NULL: they are, or there are none.
 */
static const char *
plan_view_finish(struct plan_view *v, struct app *a, struct err *why)
{
    enum preview_end end;
    struct err e = {0};

    if (!v->preview)
        return NULL;
    if (preview_finish(v->preview, &end, &e) == 0)
        return end == PREVIEW_DROPPED ? "the changes of the steps were dropped"
               : end == PREVIEW_LEFT
                   ? "the changes of the steps are not kept yet"
                   : NULL;
    app_print_err(a, &e);
    if (why->code == ERR_NONE)
        *why = e;
    return NULL;
}

/* A plan under review and under way; the callbacks of the plan share it. */
struct plan_run {
    struct app *app;
    const struct assist_request *request;
    const struct proposal *proposal;
    struct aiaction *action;
    struct step_results *results; /* NULL: nobody wants the results */
    struct plan *plan;
    struct step_output *output;
    struct report_json *report;
    struct review *review;    /* on the screen now */
    enum plan_question asked; /* what it is about */
    size_t asked_step;
    struct grant grants[AIACTION_STEPS_MAX];
    struct plan_end end;
    size_t ended;    /* the index behind the last step that ran */
    bool step_begun; /* a step was started */
    bool complete;   /* the plan is over: `end` is set */
    struct plan_view view;
    const struct conversation_usage *costs; /* NULL: no model was asked */
    char facts[FACTS_MAX];
    struct plan_checks folded;
    bool folds;     /* a key shows what the plan leaves out */
    bool shown;     /* the plan is on the screen */
    bool fresh;     /* and nothing was printed after it */
    bool changed;   /* review again: a step is not what was shown */
    bool left_out;  /* the user went on without a step */
    bool own_shell; /* the user runs the plan in their own shell: */
    struct buf shell_text;
    bool stopped; /* by a signal: what is queued for readers is dropped */
};

static void
on_complete(void *arg, const struct plan_end *end)
{
    struct plan_run *p = arg;

    p->end = *end;
    p->complete = true;
}

static bool
on_step_begin(void *arg, size_t step)
{
    struct plan_run *p = arg;

    p->fresh = false;
    p->step_begun = true;
    run_audit_step(p->app->audit, p->action, p->plan, step);
    step_output_begin(p->output, step);
    return false;
}

static void
on_elevation(void *arg, size_t step, const char *const *argv,
             enum plan_elevation_by how)
{
    struct plan_run *p = arg;

    run_audit_elevation(p->app->audit, step, argv, how);
    step_output_as_root(p->output, how == PLAN_ELEVATE_STEP ? argv : NULL);
}

static void
on_output(void *arg, size_t step, const char *stream, const char *bytes,
          size_t n)
{
    struct plan_run *p = arg;

    step_output_add(p->output, step, stream, bytes, n);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct plan_run *p = arg;

    run_audit_result(p->app->audit, p->action, step, end);
    step_output_end(p->output, step, end);
    if (p->results)
        step_results_add(p->results, &p->action->steps[step], end);
    p->ended = step + 1;
}

static void
record_choice(struct plan_run *p, const struct review_answer *answer)
{
    char words[MENU_LINE_MAX + sizeof("words: ")];
    bool granted = answer->remedy.kind != DENIAL_REMEDY_NONE;
    const char *what = granted ? run_audit_grant_name(&answer->remedy)
                       : answer->ungranted ? "take back what was granted"
                       : answer->edited    ? "edit"
                       : answer->changed   ? "review again"
                       : answer->preview   ? "preview"
                       : answer->insert    ? "insert"
                       : answer->words
                           ? words
                           : run_audit_verdict_name(answer->verdict);

    if (answer->words)
        snprintf(words, sizeof(words), "words: %s", answer->words);
    run_audit_decision(p->app->audit, p->asked, p->asked_step, what);
}

/* Leaves the commands for the user's prompt. No step runs here, which the exit
 * status says. */
static void
leave_to_user(struct plan_run *p, unsigned token)
{
    p->own_shell = true;
    user_shell_text(p->action, p->plan, &p->shell_text);
    plan_answer(p->plan, token, PLAN_QUIT);
    err_set(&p->end.why, ERR_DENIED,
            "left for your own prompt: nothing was run");
}

/* Grants a step more, which is then reviewed again; or run again at once where
 * that was the question. */
static void
grant_more(struct plan_run *p, const struct review_answer *answer)
{
    enum plan_choice verdict = PLAN_MORE;
    struct err e = {0};

    if (grant_add(&p->grants[answer->step], &answer->remedy, &e) < 0) {
        app_note(p->app, "not granted: %s", e.text);
        verdict = PLAN_QUIT;
    }
    if (answer->verdict == PLAN_MORE)
        plan_answer(p->plan, answer->token, verdict);
    else
        p->changed = true;
}

/* The user has answered. Keys that give no verdict (explain, copy) are handled
 * by the review itself. */
static void
on_review_answer(void *arg, const struct review_answer *answer)
{
    struct plan_run *p = arg;
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
        leave_to_user(p, token);
        return;
    }
    if (answer->words) {
        buf_str(p->proposal->words, answer->words);
        p->changed = true;
        return;
    }
    if (answer->remedy.kind != DENIAL_REMEDY_NONE) {
        grant_more(p, answer);
        return;
    }
    if (answer->edited || answer->ungranted)
        grant_done(&p->grants[answer->step]); /* it was for the old command */
    if (answer->changed)
        app_note(p->app,
                 "what this plan would do has changed since it was shown");
    if (answer->changed || answer->edited || answer->ungranted ||
        answer->preview) {
        p->changed = true;
        p->view.wanted |= answer->preview;
        p->view.by_key = answer->preview;
        return;
    }
    p->left_out |= answer->verdict == PLAN_SKIP && p->asked != PLAN_ASK_FAILED;
    plan_answer(p->plan, token, answer->verdict);
}

/* Whether the whole text is on the screen with the question below it. */
static bool
fits_screen(const struct term *t, const struct buf *shown)
{
    int lines = QUESTION_LINES;

    for (size_t i = 0; i < shown->len; i++)
        lines += shown->p[i] == '\n';
    return lines <= t->rows;
}

/* Shows the plan, unless it is on the screen. Nothing is asked before that. */
static void
show_once(struct plan_run *p)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (!p->shown)
        plan_text_put(&b, &p->app->screen, p->action, p->plan,
                      &(struct plan_text_options){.facts = p->facts,
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
    struct plan_run *p = arg;
    struct review_subject about = {
        .kind = q, .step = step, .takes_words = p->proposal->words != NULL};
    struct err e = {0};

    if (q == PLAN_ASK_ELEVATE)
        step_output_interrupt(p->output);
    step_output_hide(p->output);
    if (p->view.by_key && q == PLAN_ASK_ALL) { /* the key was the answer */
        plan_answer(p->plan, token, PLAN_RUN);
        return;
    }
    show_once(p);
    if (q == PLAN_ASK_STEP && plan_step_changed(p->plan)) {
        app_note(p->app,
                 "what step %zu would do has changed since it was shown",
                 step + 1);
        p->fresh = false;
    }
    review_close(p->review);
    p->asked = q;
    p->asked_step = step;
    p->review = NULL;
    about.folded = p->folds ? &p->folded : NULL;
    about.shown = p->fresh &&
                  !plan_text_is_folded(&p->folded, step, p->action->n);
    if (review_open(p->app, p->action, p->plan, token, &about, on_review_answer,
                    p, &p->review, &e) < 0) {
        plan_cancel(p->plan);
        p->end.why = e;
    }
}

/* A reader of our output is slow, keeps up again, or is gone. */
static void
on_reader_state(void *arg, enum sender_state state)
{
    struct plan_run *p = arg;

    p->app->reader_left |= state == SENDER_GONE;
    if (!p->plan)
        return;
    if (state == SENDER_GONE)
        plan_cancel(p->plan); /* as SIGPIPE ends a writer */
    else
        plan_pause(p->plan, state == SENDER_FULL);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct plan_run *p = arg;

    /* the question on the screen watches for Ctrl-C itself */
    if (p->review && review_is_open(p->review) && signo == SIGINT)
        return;
    p->stopped = true;
    plan_cancel(p->plan);
}

static void
on_stop(void *arg, unsigned signo)
{
    struct plan_run *p = arg;

    (void)signo;
    if (p->review && review_is_open(p->review))
        return;
    plan_signal(p->plan, SIGTSTP);
    step_output_hide(p->output);
    term_suspend(&p->app->screen);
    plan_signal(p->plan, SIGCONT);
}

/* Turns the loop until the plan is complete or a step was changed. */
static int
run_loop(struct plan_run *p, struct err *e)
{
    CLEANUP(stop_signals_done) struct stop_signals stops;
    struct watch *stop = loop_signal(p->app->loop, SIGTSTP, on_stop, p, e);
    int rc = stop_signals_init(&stops, p->app->loop, on_signal, p, e);

    if (rc == 0)
        plan_start(p->plan);
    while (
        (!p->complete || !(p->stopped || step_output_is_drained(p->output))) &&
        !p->changed && rc >= 0)
        rc = loop_turn(p->app->loop, -1, e);
    watch_free(stop);
    review_close(p->review);
    p->review = NULL;
    return rc < 0 ? -1 : 0;
}

/* Folds checks only where the plan comes from recipes: what a model wrote, or a
 * file holds, is shown in full. */
static void
find_folded(struct plan_run *p, bool can_ask)
{
    p->folds = can_ask && !p->request->yes;
    p->folded = (struct plan_checks){0};
    if (p->folds && p->proposal->recipes)
        p->folded = plan_text_find_checks(p->action, p->plan);
}

/* Judges, shows and runs the plan once. *again: a step was changed, or the view
 * was refused, so that it must be reviewed again. */
static int
review_and_run(struct plan_run *p, bool can_ask, bool *again, struct err *e)
{
    static const struct plan_events events = {
        .ask = on_ask,
        .step_begin = on_step_begin,
        .elevate = on_elevation,
        .output = on_output,
        .step_complete = on_step_complete,
        .complete = on_complete,
    };
    struct plan_setting set = {
        .policy = p->app->policy,
        .seat = p->app->seat,
        .config = p->app->config,
        .registry = p->app->registry,
        .outside = p->proposal->outside,
        .grants = p->grants,
        .named = (const char *const *)p->app->named,
        .reports = p->results != NULL,
        .yes = p->request->yes,
        .each_step = p->request->each_step,
        .reduced = p->request->reduced,
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
    run_audit_plan(p->app->audit, p->action, p->plan, p->costs);
    report_json_plan(p->report, p->plan);
    find_folded(p, can_ask);
    p->shown = p->fresh = false;
    if (p->app->output == OUTPUT_TEXT && !p->app->quiet && !p->view.by_key)
        show_once(p);
    rc = run_loop(p, e);
    *again = p->changed;
    if (p->complete &&
        plan_view_is_refused(&p->view, p->app, p->plan, &p->end)) {
        p->complete = false;
        *again = true;
    }
    return rc;
}

static void
plan_run_done(struct plan_run *p)
{
    review_close(p->review);
    plan_free(p->plan);
    plan_view_done(&p->view);
    step_output_free(p->output);
    report_json_free(p->report);
    buf_done(&p->shell_text);
    for (size_t i = 0; i < AIACTION_STEPS_MAX; i++)
        grant_done(&p->grants[i]);
}

/* Whether the model gets the results of the steps: a step ran to its end, good
 * or bad, and the user did not stop the run. */
static bool
model_wants_results(const struct plan_run *p)
{
    enum err_code code = p->end.why.code;

    return p->results && p->end.executed > 0 &&
           (code == ERR_NONE || code == ERR_TOOL || code == ERR_TIMEOUT);
}

/* Collects the results for the model; the run goes on with another plan. */
static int
continue_with_results(struct plan_run *p)
{
    const struct err *why = &p->end.why;
    int status = err_exit_status(why->code);

    for (size_t i = p->ended; i < p->action->n; i++)
        step_results_add(p->results, &p->action->steps[i], NULL);
    p->results->wanted = true;
    report_json_keep(p->report, why, status);
    app_note(p->app, "%s%sthe model is sent the output of the steps", why->text,
             why->text[0] ? "; " : "");
    return status;
}

/* What the user declined did not happen. The exit status says so to scripts;
 * nothing is printed, since the user knows. Returns whether there was such. */
static bool
was_declined(struct plan_run *p, const char *unkept)
{
    if (p->end.why.code != ERR_NONE || model_wants_results(p) ||
        !(unkept || p->left_out))
        return false;
    err_set(&p->end.why, ERR_DENIED, "%s",
            unkept ? unkept : "a step was skipped");
    return true;
}

/* Reports how the run ended and returns the exit status. */
static int
report_plan_end(struct plan_run *p)
{
    const struct err *why = &p->end.why;
    bool declined;
    int status;

    step_output_free(p->output);
    p->output = NULL;
    if (!p->step_begun) /* nothing ran in the view */
        plan_view_forget(&p->view);
    declined = was_declined(p, plan_view_finish(&p->view, p->app, &p->end.why));
    status = err_exit_status(why->code);
    if (!model_wants_results(p))
        run_audit_end(p->app->audit, why, status);
    report_json_end(p->report, &p->end);
    if (model_wants_results(p))
        return continue_with_results(p);
    report_json_write(p->report, why, status);
    if (p->own_shell)
        user_shell_insert(p->app, &p->shell_text);
    if (declined || p->own_shell ||
        (p->app->reader_left && why->code == ERR_INTERRUPTED))
        return status;
    if (why->code != ERR_NONE)
        app_print_err(p->app, why);
    if (why->code == ERR_DENIED) {
        CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

        plan_text_put_refused(&b, &p->app->screen, p->action, p->plan);
        (void)term_put(&p->app->screen, &b, NULL);
    }
    return status;
}

static bool
is_reworded(const struct plan_run *p)
{
    return p->proposal->words && p->proposal->words->len > 0;
}

int
run_plan(struct app *a, const struct assist_request *request,
         const struct proposal *proposal)
{
    const struct conversation_usage *facts = proposal->asked ? &proposal->facts
                                                             : NULL;
    CLEANUP(plan_run_done)
    struct plan_run p = {.app = a,
                         .request = request,
                         .proposal = proposal,
                         .action = proposal->action,
                         .costs = facts,
                         .view.wanted = request->preview,
                         .shell_text = buf_of(USER_SHELL_MAX)};
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);
    struct err e = {0};
    bool can_ask = term_keys(&a->screen, NULL) == 0, again = true;

    if (p.action->wants_results)
        p.results = proposal->results;
    if (facts)
        plan_text_put_facts(&line, &a->screen, proposal->model, facts);
    snprintf(p.facts, sizeof(p.facts), "%s", line.p);
    p.report = report_json_new(a, p.action, facts, &e);
    if (p.report)
        p.output = step_output_new(a, p.action, p.report, on_reader_state, &p,
                                   &e);
    if (!p.output)
        return app_fail(a, &e);
    while (again) {
        if (review_and_run(&p, can_ask, &again, &e) < 0)
            return app_fail(a, &e);
        if (is_reworded(&p))
            return 0; /* there will be another plan */
    }
    return report_plan_end(&p);
}
