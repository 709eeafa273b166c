/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_plan.c - the plan of a turn on a terminal. */
#include "ui/run_plan.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/run_audit.h"
#include "base/message.h"
#include "term/menu.h"
#include "ui/plan_text.h"
#include "ui/preview.h"
#include "ui/report_json.h"
#include "ui/review.h"
#include "ui/shell_change.h"
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

/* Why the changes of the steps are not in the workspace, where the user decided
 * so; NULL: they are, or there are none. */
static const char *
unkept_text(enum preview_end how)
{
    return how == PREVIEW_DROPPED ? _("the changes of the steps were dropped")
           : how == PREVIEW_LEFT
               ? _("the changes of the steps are not kept yet")
               : NULL;
}

struct run_plan {
    struct app *app;
    const struct assist_request *request;
    struct turn *turn;
    const struct proposal *proposal;
    struct aiaction *action;
    const struct plan *plan; /* NULL: not judged yet */
    bool can_ask;
    struct step_output *output;
    struct report_json *report;
    struct stop_signals stops;
    struct watch *suspend;    /* Ctrl-Z; NULL: no signal is watched */
    struct review *review;    /* on the screen now */
    enum plan_question asked; /* what it is about */
    struct grant grants[AIACTION_STEPS_MAX];
    struct plan_end end;
    bool step_begun; /* a step was started */
    bool complete;   /* the plan is over: `end` is set */
    bool finished;   /* and the turn went on */
    struct plan_view view;
    char facts[FACTS_MAX];
    struct plan_checks folded;
    bool folds;     /* a key shows what the plan leaves out */
    bool shown;     /* the plan is on the screen */
    bool fresh;     /* and nothing was printed after it */
    bool left_out;  /* the user went on without a step */
    bool declined;  /* the user said no to a part of it, and knows */
    bool stopped;   /* by a signal: what is queued for readers is dropped */
    bool own_shell; /* the user runs the plan in their own shell: */
    struct buf shell_text;
};

static void
unwatch_signals(struct run_plan *p)
{
    watch_free(p->suspend);
    p->suspend = NULL;
    stop_signals_done(&p->stops);
}

void
run_plan_free(struct run_plan *p)
{
    if (!p)
        return;
    review_close(p->review);
    unwatch_signals(p);
    if (!p->step_begun)
        plan_view_forget(&p->view);
    plan_view_done(&p->view);
    step_output_free(p->output);
    report_json_free(p->report);
    buf_done(&p->shell_text);
    for (size_t i = 0; i < AIACTION_STEPS_MAX; i++)
        grant_done(&p->grants[i]);
    free(p);
}

void
run_plan_judge(struct run_plan *p)
{
    struct turn_judging how = {.policy = p->app->policy, .grants = p->grants};
    struct err e = {0};

    unwatch_signals(p);
    if (plan_view_open(&p->view, p->app, p->action, &e) < 0) {
        turn_stop(p->turn, &e);
        return;
    }
    how.preview = plan_view_of(&p->view);
    turn_judge(p->turn, &how);
}

void
run_plan_step_begin(struct run_plan *p, size_t step)
{
    p->fresh = false;
    p->step_begun = true;
    step_output_begin(p->output, step);
    if (plan_step_verdict(p->plan, step)->tty != STEP_TTY_NONE)
        step_output_hide(p->output); /* the terminal is the step's */
}

void
run_plan_elevate(struct run_plan *p, const char *const *argv,
                 enum plan_elevation_by how)
{
    step_output_as_root(p->output, how == PLAN_ELEVATE_STEP ? argv : NULL);
}

void
run_plan_output(struct run_plan *p, size_t step, const char *host,
                const char *stream, const char *bytes, size_t n)
{
    step_output_add(p->output, step, host, stream, bytes, n);
}

void
run_plan_step_complete(struct run_plan *p, size_t step,
                       const struct step_end *end)
{
    const struct step_verdict *v = plan_step_verdict(p->plan, step);
    struct err e;

    step_output_end(p->output, step, end);
    if (!p->view.preview &&
        shell_change_put(p->app->seat, &p->action->steps[step], v,
                         end->exit_code == 0, &e) < 0)
        app_note(p->app, "not in your shell: %s", e.text);
}

/* What the answer is called in the journal. words has room for those of it. */
static const char *
choice_name(const struct review_answer *answer, char *words, size_t size)
{
    if (answer->words)
        snprintf(words, size, "words: %s", answer->words);
    return answer->remedy.kind != DENIAL_REMEDY_NONE
               ? run_audit_grant_name(&answer->remedy)
           : answer->ungranted ? "take back what was granted"
           : answer->edited    ? "edit"
           : answer->changed   ? "review again"
           : answer->preview   ? "preview"
           : answer->insert    ? "insert"
           : answer->words     ? words
                               : run_audit_verdict_name(answer->verdict);
}

/* Leaves the commands for the user's prompt. No step runs here, which the exit
 * status says. */
static void
leave_to_user(struct run_plan *p, unsigned token, const char *what)
{
    p->own_shell = true;
    user_shell_text(p->action, p->plan, &p->shell_text);
    (void)turn_answer(p->turn, token, PLAN_QUIT, what);
}

/* Grants a step more, which is then reviewed again; or run again at once where
 * that was the question. */
static void
grant_more(struct run_plan *p, const struct review_answer *answer,
           const char *what)
{
    enum plan_choice verdict = PLAN_MORE;
    struct err e = {0};

    if (grant_add(&p->grants[answer->step], &answer->remedy, &e) < 0) {
        app_note(p->app, "not granted: %s", e.text);
        verdict = PLAN_QUIT;
    }
    if (answer->verdict == PLAN_MORE)
        (void)turn_answer(p->turn, answer->token, verdict, what);
    else if (turn_withdraw(p->turn, answer->token, what))
        run_plan_judge(p);
}

/* Asks for another plan; where there is none this one is reviewed again. */
static void
ask_with_words(struct run_plan *p, const struct review_answer *answer,
               const char *what)
{
    (void)turn_withdraw(p->turn, answer->token, what);
    unwatch_signals(p);
    if (turn_revise(p->turn, answer->words))
        return; /* p is gone */
    app_note(p->app,
             "the offline engine cannot tell what \"%.200s\" should "
             "change: the plan is unchanged",
             answer->words);
    run_plan_judge(p);
}

/* The step is another one now, or its rights are, or it runs in a view. */
static void
review_again(struct run_plan *p, const struct review_answer *answer,
             const char *what)
{
    (void)turn_withdraw(p->turn, answer->token, what);
    if (answer->edited || answer->ungranted)
        grant_done(&p->grants[answer->step]); /* it was for the old command */
    if (answer->changed)
        app_note(p->app,
                 "what this plan would do has changed since it was shown");
    p->view.wanted |= answer->preview;
    p->view.by_key = answer->preview;
    run_plan_judge(p);
}

/* The user has answered. Keys that give no verdict (explain, copy) are handled
 * by the review itself. */
static void
on_review_answer(void *arg, const struct review_answer *answer)
{
    char words[MENU_LINE_MAX + sizeof("words: ")];
    const char *what = choice_name(answer, words, sizeof(words));
    struct run_plan *p = arg;

    if (answer->repeated)
        p->fresh = false;
    if (answer->why.code != ERR_NONE) {
        turn_stop(p->turn, &answer->why);
    } else if (answer->insert) {
        leave_to_user(p, answer->token, what);
    } else if (answer->words) {
        ask_with_words(p, answer, what);
    } else if (answer->remedy.kind != DENIAL_REMEDY_NONE) {
        grant_more(p, answer, what);
    } else if (answer->changed || answer->edited || answer->ungranted ||
               answer->preview) {
        review_again(p, answer, what);
    } else {
        p->left_out |= answer->verdict == PLAN_SKIP &&
                       p->asked != PLAN_ASK_FAILED;
        (void)turn_answer(p->turn, answer->token, answer->verdict, what);
    }
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
show_once(struct run_plan *p)
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

void
run_plan_ask(struct run_plan *p, unsigned token, enum plan_question q,
             size_t step)
{
    struct review_subject about = {
        .kind = q, .step = step, .takes_words = p->proposal->asked};
    struct err e = {0};

    if (q == PLAN_ASK_ELEVATE)
        step_output_interrupt(p->output);
    step_output_hide(p->output);
    if (p->view.by_key && q == PLAN_ASK_ALL) { /* the key was the answer */
        (void)turn_answer(p->turn, token, PLAN_RUN, NULL);
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
    p->review = NULL;
    about.folded = p->folds ? &p->folded : NULL;
    about.shown = p->fresh &&
                  !plan_text_is_folded(&p->folded, step, p->action->n);
    if (review_open(p->app, p->action, p->plan, token, &about, on_review_answer,
                    p, &p->review, &e) < 0)
        turn_stop(p->turn, &e);
}

/* A reader of our output is slow, keeps up again, or is gone. */
static void
on_reader_state(void *arg, enum sender_state state)
{
    struct run_plan *p = arg;

    p->app->reader_left |= state == SENDER_GONE;
    if (!p->plan)
        return;
    if (state != SENDER_GONE)
        turn_pause(p->turn, state == SENDER_FULL);
    else if (!p->complete)
        turn_cancel(p->turn); /* as SIGPIPE ends a writer */
}

static void finish_plan(struct run_plan *p);

/* The question on the screen watches for Ctrl-C itself. What is queued for
 * readers is dropped. */
static void
on_signal(void *arg, unsigned signo)
{
    struct run_plan *p = arg;

    if (p->review && review_is_open(p->review) && signo == SIGINT)
        return;
    p->stopped = true;
    if (p->complete)
        finish_plan(p);
    else
        turn_cancel(p->turn);
}

static void
on_suspend(void *arg, unsigned signo)
{
    struct run_plan *p = arg;

    (void)signo;
    if (p->review && review_is_open(p->review))
        return;
    turn_signal(p->turn, SIGTSTP);
    step_output_hide(p->output);
    term_suspend(&p->app->screen);
    turn_signal(p->turn, SIGCONT);
}

static int
watch_plan_signals(struct run_plan *p, struct err *e)
{
    struct loop *l = p->app->loop;

    unwatch_signals(p);
    p->suspend = loop_signal(l, SIGTSTP, on_suspend, p, e);
    if (!p->suspend)
        return -1;
    return stop_signals_init(&p->stops, l, on_signal, p, e);
}

/* Folds checks only where the plan comes from recipes: what a model wrote, or a
 * file holds, is shown in full. */
static void
find_folded(struct run_plan *p)
{
    p->folds = p->can_ask && !p->request->yes;
    p->folded = (struct plan_checks){0};
    if (p->folds && p->proposal->recipes)
        p->folded = plan_text_find_checks(p->action, p->plan);
}

void
run_plan_proposed(struct run_plan *p, const struct plan *plan)
{
    struct err e = {0};

    review_close(p->review);
    p->review = NULL;
    if (!p->plan && p->request->hosts && p->proposal->recipes)
        app_note(p->app, "the offline engine knows this machine alone: see "
                         "whether its commands fit the hosts");
    p->plan = plan;
    p->complete = false;
    report_json_plan(p->report, plan);
    find_folded(p);
    p->shown = p->fresh = false;
    if (p->app->output == OUTPUT_TEXT && !p->app->quiet && !p->view.by_key)
        show_once(p);
    if (watch_plan_signals(p, &e) < 0)
        turn_stop(p->turn, &e);
}

/* What the user declined did not happen. The exit status says so to scripts;
 * nothing is printed, since the user knows. unkept: why the changes of the
 * steps are not in the workspace; NULL: they are. */
static void
note_declined(struct run_plan *p, const char *unkept)
{
    p->declined = p->end.why.code == ERR_NONE && !turn_will_continue(p->turn) &&
                  (unkept || p->left_out);
    if (p->declined)
        err_set(&p->end.why, ERR_DENIED, "%s",
                unkept ? unkept : "a step was skipped");
}

/* unkept: as note_declined takes it. */
static void
go_on(struct run_plan *p, const char *unkept)
{
    note_declined(p, unkept);
    p->finished = true;
    turn_go_on(p->turn, &p->end.why); /* p may be gone */
}

/* A failure to keep the changes is the plan's, if it had none yet, and is then
 * printed at its end. */
static void
on_view_decided(void *arg, enum preview_end how, const struct err *why)
{
    struct run_plan *p = arg;

    if (why->code == ERR_NONE) {
        go_on(p, unkept_text(how));
        return;
    }
    if (p->declined || p->own_shell || p->end.why.code != ERR_NONE)
        app_print_err(p->app, why);
    if (p->end.why.code == ERR_NONE)
        p->end.why = *why;
    go_on(p, NULL);
}

/* All output has reached its readers, or is not wanted any more. */
static void
finish_plan(struct run_plan *p)
{
    unwatch_signals(p);
    if (plan_view_is_refused(&p->view, p->app, p->plan, &p->end)) {
        run_plan_judge(p);
        return;
    }
    step_output_free(p->output);
    p->output = NULL;
    if (!p->step_begun)
        plan_view_forget(&p->view);
    if (p->view.preview) /* the changes are shown, and asked about */
        preview_finish(p->view.preview, on_view_decided, p);
    else
        go_on(p, NULL);
}

static void
on_drained(void *arg)
{
    finish_plan(arg);
}

void
run_plan_complete(struct run_plan *p, const struct plan_end *end)
{
    p->end = *end;
    p->complete = true;
    review_close(p->review);
    p->review = NULL;
    if (p->own_shell)
        err_set(&p->end.why, ERR_DENIED,
                "left for your own prompt: nothing was run");
    if (p->stopped || step_output_is_drained(p->output))
        finish_plan(p);
    else
        step_output_drain(p->output, on_drained, p);
}

void
run_plan_keep(struct run_plan *p)
{
    const struct err *why = &p->end.why;

    if (!p->finished)
        return;
    report_json_end(p->report, &p->end);
    report_json_keep(p->report, why, err_exit_status(why->code));
    app_note(p->app, "%s%sthe model is sent the output of the steps", why->text,
             why->text[0] ? "; " : "");
}

/* Says why it went no further, unless the user knows. */
static void
print_reason(struct run_plan *p)
{
    const struct err *why = &p->end.why;
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (p->declined || p->own_shell || why->code == ERR_NONE ||
        (p->app->reader_left && why->code == ERR_INTERRUPTED))
        return;
    app_print_err(p->app, why);
    if (why->code != ERR_DENIED)
        return;
    plan_text_put_refused(&b, &p->app->screen, p->action, p->plan);
    (void)term_put(&p->app->screen, &b, NULL);
}

int
run_plan_report(struct run_plan *p)
{
    int status = err_exit_status(p->end.why.code);

    if (!p->finished)
        return -1;
    report_json_end(p->report, &p->end);
    report_json_write(p->report, &p->end.why, status);
    if (p->own_shell)
        user_shell_insert(p->app, &p->shell_text);
    print_reason(p);
    return status;
}

struct run_plan *
run_plan_new(struct app *a, const struct assist_request *request,
             struct turn *t, const struct proposal *proposal, bool can_ask,
             struct err *e)
{
    const struct conversation_usage *facts = proposal->asked ? &proposal->facts
                                                             : NULL;
    CLEANUP(run_plan_free_p) struct run_plan *p = calloc(1, sizeof(*p));
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    *p = (struct run_plan){.app = a,
                           .request = request,
                           .turn = t,
                           .proposal = proposal,
                           .action = proposal->action,
                           .can_ask = can_ask,
                           .view.wanted = request->preview,
                           .shell_text = buf_of(USER_SHELL_MAX)};
    if (facts)
        plan_text_put_facts(&line, &a->screen, proposal->model, facts);
    snprintf(p->facts, sizeof(p->facts), "%s", line.p);
    p->report = report_json_new(a, p->action, facts, e);
    if (!p->report ||
        !(p->output = step_output_new(a, p->action, p->report, on_reader_state,
                                      p, e)) ||
        (request->hosts && (report_json_on(p->report, request->hosts, e) < 0 ||
                            step_output_on(p->output, request->hosts, e) < 0)))
        return NULL;
    report_json_undoing(p->report, request->undoing);
    return TAKE_PTR(p);
}
