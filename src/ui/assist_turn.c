/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assist_turn.c - listens to the turn of a request, at a terminal. */
#include "ui/assist_turn.h"

#include <stdlib.h>

#include "base/file.h"
#include "model/client.h"
#include "tool/captured.h"
#include "ui/answer.h"
#include "ui/model_progress.h"
#include "ui/plan_text.h"
#include "ui/prompt_line.h"
#include "ui/report_json.h"
#include "ui/run_plan.h"
#include "ui/stdin_input.h"
#include "ui/stop_signals.h"
#include "ui/suggestions.h"

#define REQUEST_MAX (4u << 20) /* bytes of a request to a model, as sent */
#define SHOWN_MAX   (8u << 20)

struct assist_turn {
    struct app *app;
    const struct assist_request *request;
    const struct model_selection *selection;
    assist_turn_cb *cb;
    void *arg;
    bool can_ask;        /* the terminal has keys */
    struct model *model; /* NULL: none is asked */
    struct turn *turn;
    struct stop_signals stops; /* while the model is asked */
    struct model_progress *progress;
    struct answer_stream *answer;
    struct suggestions *suggestions; /* asked about */
    struct run_plan *run;            /* the plan under review or under way */
    const struct proposal *proposal; /* the last one; NULL: none came yet */
    bool answered;                   /* it is an answer in words */
    struct err unfit;                /* why that is none; ERR_NONE: it is one */
    bool printed;                    /* it is on the screen, with the status: */
    int status;
    bool left;  /* nothing was chosen of it */
    bool later; /* an answer has come before */
    bool lost;
};

static void
unwatch_query(struct assist_turn *s)
{
    stop_signals_done(&s->stops);
    model_progress_close(s->progress);
    s->progress = NULL;
}

static void
drop_answer(struct assist_turn *s)
{
    answer_free(s->answer);
    s->answer = NULL;
    s->answered = s->printed = false;
}

void
assist_turn_free(struct assist_turn *s)
{
    if (!s)
        return;
    unwatch_query(s);
    suggestions_close(s->suggestions);
    run_plan_free(s->run); /* it borrows the turn's proposal */
    turn_free(s->turn);
    model_free(s->model);
    answer_free(s->answer);
    free(s);
}

/* The model is asked. */

static void
on_request(void *arg, const struct model_request *r)
{
    struct assist_turn *s = arg;
    CLEANUP_BUF struct buf out = buf_of(REQUEST_MAX);
    struct err e = {0};

    if (model_show_request(s->selection, r, &out, &e) < 0)
        turn_stop(s->turn, &e);
    else
        app_put_result(s->app, &out);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct assist_turn *s = arg;

    (void)signo;
    turn_cancel(s->turn);
}

/* A plan before that is over is reported, or gone. */
static void
on_asked(void *arg)
{
    struct assist_turn *s = arg;
    struct err e = {0};

    if (s->run)
        run_plan_keep(s->run);
    run_plan_free(s->run);
    s->run = NULL;
    unwatch_query(s);
    drop_answer(s);
    if (!s->model)
        return;
    s->answer = answer_new(s->app, &e);
    s->progress = model_progress_open(s->app,
                                      model_selection_model(s->selection), &e);
    if (!s->answer || !s->progress ||
        stop_signals_init(&s->stops, s->app->loop, on_signal, s, &e) < 0)
        turn_stop(s->turn, &e);
}

static void
on_note(void *arg, const char *line)
{
    const struct assist_turn *s = arg;

    app_note(s->app, "%s", line);
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    const struct assist_turn *s = arg;

    model_progress_text(s->progress);
    if (s->answer && !s->request->line)
        answer_add(s->answer, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    const struct assist_turn *s = arg;

    model_progress_waiting(s->progress, line);
}

static void
on_tool_started(void *arg, const char *line)
{
    const struct assist_turn *s = arg;

    model_progress_tool_started(s->progress, line);
}

static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    const struct assist_turn *s = arg;

    model_progress_tool_ended(s->progress, c);
}

static void
on_usage(void *arg, const struct conversation_usage *u)
{
    struct assist_turn *s = arg;

    (void)u;
    s->later = true;
    unwatch_query(s);
}

static bool
on_hands_over(void *arg, const struct err *why)
{
    struct assist_turn *s = arg;

    unwatch_query(s);
    s->lost = !s->later && why->code == ERR_MODEL &&
              !(s->answer && answer_begun(s->answer)) &&
              model_selection_is_cached(s->selection);
    return s->lost;
}

/* Answers in words. */

static bool
is_only_shown(const struct assist_request *request)
{
    return request->dry_run || request->plan_out;
}

static void
print_answer(struct assist_turn *s)
{
    const struct proposal *p = s->proposal;

    s->printed = true;
    if (s->request->line)
        s->status = prompt_line_answer(s->app, p, s->request->mode);
    else
        s->status = answer_finish(s->answer, p->action, p->model, &p->facts,
                                  s->unfit.code ? &s->unfit : NULL);
}

static void
on_chosen(void *arg, const struct suggestions_answer *answer)
{
    struct assist_turn *s = arg;
    CLEANUP(suggestions_close_p)
    struct suggestions *held = TAKE_PTR(s->suggestions);

    s->left = answer->end == SUGGESTIONS_LEFT;
    if (answer->end == SUGGESTIONS_FAILED)
        turn_stop(s->turn, &answer->why);
    else if (s->left)
        turn_go_on(s->turn, &s->unfit);
    else if (answer->end == SUGGESTIONS_NAMED)
        (void)turn_revise(s->turn, answer->name);
    else
        turn_choose(s->turn, answer->chosen);
}

/* The user may choose one of the commands that the answer names, which becomes
 * a plan like any other. */
static void
offer_choices(struct assist_turn *s)
{
    struct err e = {0};

    print_answer(s);
    if (is_only_shown(s->request) ||
        !suggestions_can_ask(s->app, s->proposal)) {
        s->left = true;
        turn_go_on(s->turn, &s->unfit);
        return;
    }
    s->suggestions = suggestions_open(s->app, s->proposal, on_chosen, s, &e);
    if (!s->suggestions)
        turn_stop(s->turn, &e);
}

static bool
on_answered(void *arg, const struct proposal *p)
{
    struct assist_turn *s = arg;
    struct err e = {0};

    s->proposal = p;
    s->answered = true;
    s->unfit = (struct err){0};
    if (!s->answer && !(s->answer = answer_new(s->app, &e))) {
        turn_stop(s->turn, &e);
        return true;
    }
    if (p->unfit)
        err_set(&s->unfit, ERR_UNFIT,
                "nothing is proposed: the answer says "
                "why");
    else if (s->request->plan_out)
        err_set(&s->unfit, ERR_ANSWER, "the answer has no plan to save");
    if ((p->n_choices > 0 || p->lacks) && !s->request->line)
        offer_choices(s);
    else
        turn_go_on(s->turn, &s->unfit);
    return true;
}

/* Plans. */

static int
save_plan(const char *path, const struct aiaction *action, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(AIACTION_JSON_MAX);
    struct json_writer w;

    json_write_init(&w, &out);
    aiaction_put(&w, action);
    buf_ch(&out, '\n');
    if (buf_ok(&out, "the plan", e) < 0)
        return -1;
    return file_save(path, out.p, out.len, 0600, e);
}

/* What happens before the steps are judged. */
static int
prepare_plan(struct assist_turn *s, const struct proposal *p, struct err *e)
{
    const struct assist_request *request = s->request;
    struct app *a = s->app;

    if (app_policy(a, e) < 0)
        return -1;
    if (request->plan_out) {
        if (save_plan(request->plan_out, p->action, e) < 0)
            return -1;
        app_note(a, "saved: %s do --plan %s reviews and runs it", a->name,
                 request->plan_out);
    }
    if (is_only_shown(request))
        return 0;
    s->run = run_plan_new(a, request, s->turn, p, s->can_ask, e);
    return s->run ? 0 : -1;
}

static bool
on_judge(void *arg, const struct proposal *p)
{
    struct assist_turn *s = arg;
    struct err e = {0};

    drop_answer(s);
    s->proposal = p;
    if (prepare_plan(s, p, &e) < 0)
        turn_stop(s->turn, &e);
    else if (s->run)
        run_plan_judge(s->run);
    else
        turn_judge(s->turn, &(struct turn_judging){.policy = s->app->policy});
    return true;
}

static int
show_plan(struct assist_turn *s, const struct proposal *p,
          const struct plan *plan, struct err *e)
{
    const struct conversation_usage *f = p->asked ? &p->facts : NULL;
    CLEANUP_BUF struct buf facts = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf shown = buf_of(SHOWN_MAX);
    CLEANUP(report_json_free_p) struct report_json *r = NULL;
    struct app *a = s->app;

    if (s->request->line)
        return prompt_line_print(a, p->action, plan, e);
    if (!(r = report_json_new(a, p->action, f, e)))
        return -1;
    if (s->request->hosts && report_json_on(r, s->request->hosts, e) < 0)
        return -1;
    report_json_undoing(r, s->request->undoing);
    report_json_plan(r, plan);
    report_json_write(r, NULL, 0);
    if (a->output != OUTPUT_TEXT)
        return 0;
    if (f)
        plan_text_put_facts(&facts, &a->result, p->model, f);
    plan_text_put(&shown, &a->result, p->action, plan,
                  &(struct plan_text_options){.facts = facts.p});
    app_put_result(a, &shown);
    return 0;
}

static void
on_proposed(void *arg, const struct aiaction *action, const struct plan *plan)
{
    struct assist_turn *s = arg;
    struct err e = {0};

    (void)action;
    if (s->run)
        run_plan_proposed(s->run, plan);
    else if (show_plan(s, s->proposal, plan, &e) < 0)
        turn_stop(s->turn, &e);
    else
        turn_stop(s->turn, NULL);
}

static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    const struct assist_turn *s = arg;

    run_plan_ask(s->run, token, q, step);
}

static void
on_step_begin(void *arg, size_t step)
{
    const struct assist_turn *s = arg;

    run_plan_step_begin(s->run, step);
}

static void
on_elevate(void *arg, const char *const *argv, enum plan_elevation_by how)
{
    const struct assist_turn *s = arg;

    run_plan_elevate(s->run, argv, how);
}

static void
on_output(void *arg, size_t step, const char *host, const char *stream,
          const char *bytes, size_t n)
{
    const struct assist_turn *s = arg;

    run_plan_output(s->run, step, host, stream, bytes, n);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    const struct assist_turn *s = arg;

    run_plan_step_complete(s->run, step, end);
}

static bool
on_plan_complete(void *arg, const struct plan_end *end)
{
    const struct assist_turn *s = arg;

    run_plan_complete(s->run, end);
    return true;
}

/* No answer came, or no whole one; or it could not be acted on. */
static int
fail_answer(struct assist_turn *s, const struct err *why)
{
    if (s->answer && !s->printed && answer_begun(s->answer))
        (void)term_write(&s->app->result, "\n", 1, NULL);
    return app_fail(s->app, why);
}

/* Prints what is still to be printed. */
static int
report_end(struct assist_turn *s, const struct turn_end *end)
{
    int status = s->run ? run_plan_report(s->run) : -1;

    if (status >= 0)
        return status;
    if (s->lost) { /* another server is looked for */
        log_debug(&s->app->log, "%s", end->why.text);
        return end->status;
    }
    if (s->left)
        return s->status;
    if (end->outcome == TURN_FAILED &&
        (!s->answered || s->printed || end->why.code != s->unfit.code))
        return fail_answer(s, &end->why);
    if (s->answered)
        print_answer(s);
    return s->answered && s->status ? s->status : end->status;
}

static void
on_over(void *arg, const struct turn_end *end)
{
    struct assist_turn *s = arg;

    unwatch_query(s);
    s->cb(s->arg, report_end(s, end), s->lost);
}

static const struct turn_events events = {
    .request = on_request,
    .asked = on_asked,
    .note = on_note,
    .text = on_text,
    .waiting = on_waiting,
    .tool_started = on_tool_started,
    .tool_ended = on_tool_ended,
    .usage = on_usage,
    .hands_over = on_hands_over,
    .answered = on_answered,
    .judge = on_judge,
    .proposed = on_proposed,
    .ask = on_ask,
    .step_begin = on_step_begin,
    .elevate = on_elevate,
    .output = on_output,
    .step_complete = on_step_complete,
    .plan_complete = on_plan_complete,
    .over = on_over,
};

static struct turn_context
context_of(const struct assist_turn *s, struct shell_memory *memory)
{
    const struct app *a = s->app;

    return (struct turn_context){
        .loop = a->loop,
        .seat = a->seat,
        .config = a->config,
        .policy = a->policy,
        .registry = a->registry,
        .named = (const char *const *)a->named,
        .model = s->model,
        .selection = s->selection,
        .conversation = shell_memory_conversation(memory),
        .exchange = shell_memory_exchange(memory),
        .audit = a->audit};
}

static struct turn_setting
setting_of(const struct assist_turn *s)
{
    const struct assist_request *r = s->request;
    const struct term *t = &s->app->result;
    bool runs = !is_only_shown(r);

    return (struct turn_setting){
        .can_ask = runs && s->can_ask,
        .own_terminal = captured_find_terminal(NULL) == 0,
        .yes = r->yes,
        .reduced = runs && r->reduced,
        .each_step = r->each_step,
        .hosts = r->hosts,
        .undoing = r->undoing,
        .colour = t->color,
        .no_tool_calls = r->no_tool_calls,
        .columns = s->app->output != OUTPUT_TEXT || !t->tty ? 0
                   : t->plain                               ? COLUMNS_PLAIN
                              : (size_t)t->columns,
        .show_request = r->show_request};
}

static struct assist_turn *
new_assist_turn(const struct assist_turn_params *p, assist_turn_cb *cb,
                void *arg, struct err *e)
{
    struct assist_turn *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct assist_turn){.app = p->app,
                              .request = p->request,
                              .selection = p->selection,
                              .can_ask = term_keys(&p->app->screen, NULL) == 0,
                              .cb = cb,
                              .arg = arg};
    return s;
}

/* Starts the model, which loads while the rest is. Where the registry cannot be
 * read the user is told, and the model has no tools. */
static int
open_model(struct assist_turn *s, struct err *e)
{
    struct app *a = s->app;
    struct err why = {0};

    if (!s->request->show_request &&
        !(s->model = model_start(a->loop, a->warm_process, s->selection, e)))
        return -1;
    if (app_policy(a, e) < 0)
        return -1;
    if (app_registry(a, &why) < 0)
        app_note(a, "no tools: %s", why.text);
    return stop_signals_init(&s->stops, a->loop, on_signal, s, e);
}

/* Reads what was said before, while the model's process starts. With --yes
 * nothing of it goes along: what earlier commands wrote must not decide what
 * runs without a question. */
static void
load_memory(const struct assist_turn *s, struct shell_memory *memory)
{
    struct err e = {0};

    if (s->selection && !s->request->yes &&
        shell_memory_load(memory, s->selection, &e) < 0)
        app_note(s->app, "nothing is remembered: %s", e.text);
}

/* What the model is told that the input is. */
static const char *
input_name(const struct assist_request *r)
{
    if (r->outside)
        return r->outside;
    return r->line ? PROMPT_LINE_ALIASES : STDIN_INPUT_NAME;
}

struct assist_turn *
assist_turn_start(const struct assist_turn_params *p, assist_turn_cb *cb,
                  void *arg, struct err *e)
{
    CLEANUP(assist_turn_free_p)
    struct assist_turn *s = new_assist_turn(p, cb, arg, e);
    struct user_request about = {.mode = p->request->mode,
                                 .text = p->request->text,
                                 .input = p->input->p,
                                 .input_len = p->input->len,
                                 .input_name = input_name(p->request),
                                 .about_last = p->about_last,
                                 .last_shown = p->last_shown};
    struct turn_context cx;
    struct turn_setting set;

    if (!s || (s->selection && open_model(s, e) < 0))
        return NULL;
    load_memory(s, p->memory);
    about.before = shell_memory_before(p->memory);
    about.before_outside = shell_memory_outside(p->memory);
    cx = context_of(s, p->memory);
    set = setting_of(s);
    if (!(s->turn = turn_start(&cx, &about, &set, &events, s, e)))
        return NULL;
    return TAKE_PTR(s);
}

struct assist_turn *
assist_turn_start_saved(const struct assist_turn_params *p,
                        struct aiaction *action, const char *outside,
                        assist_turn_cb *cb, void *arg, struct err *e)
{
    CLEANUP(assist_turn_free_p)
    struct assist_turn *s = new_assist_turn(p, cb, arg, e);
    struct turn_context cx;
    struct turn_setting set;

    if (!s)
        return NULL;
    cx = context_of(s, p->memory);
    set = setting_of(s);
    if (!(s->turn = turn_start_saved(&cx, action, outside, &set, &events, s,
                                     e)))
        return NULL;
    return TAKE_PTR(s);
}
