/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_query.c - asks a model while the user waits. */
#include "ui/model_query.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "action/answer_schema.h"
#include "action/request_message.h"
#include "action/run_audit.h"
#include "action/step_tools.h"
#include "offline/explain/explain.h"
#include "term/escape.h"
#include "term/progress_line.h"
#include "term/style.h"
#include "term/width.h"
#include "ui/stdin_input.h"
#include "ui/stop_signals.h"
#include "ui/tool_listing.h"

#define MESSAGE_MAX   (1u << 20)
#define LABEL_MAX     160
#define REFUSED_SHOWN 4           /* refused calls that are printed by name */
#define CALL_LINE_MAX (64u << 10) /* bytes of a call's line, all escaped */

struct model_query {
    struct app *app;
    const struct assist_request *request;
    struct model *model; /* NULL with request->show_request */
    const struct model_selection *selection; /* borrowed */
    const char *model_name;
    struct buf system, user; /* the first messages */
    struct buf schema;       /* of the answer */
    struct origin origin;    /* which part of them others could have written */
    struct step_results results; /* of the last plan, to be sent … */
    struct buf words;            /* … or words by which it is to be changed */
    struct aiaction_tools tools;
    struct tool_loop *tool_loop; /* NULL: the model answers at once */
    struct agent_loop *agent;    /* NULL before the first message */
    struct answer_stream *answer;
    struct progress_line *live;
    struct proposal *out;
    struct err failure;
    bool done;
    bool price_noted; /* that there is a file of prices that is wrong */
    size_t refused;   /* malformed calls since the last message */
};

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct model_query *q = arg;

    if (q->app->output == OUTPUT_TEXT) {
        progress_line_close(q->live); /* from now on the text is the progress */
        q->live = NULL;
    }
    answer_add(q->answer, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct model_query *q = arg;

    if (q->live)
        progress_line_set_text(q->live, line);
    log_debug(&q->app->log, "%s", line);
}

/* Writes the result of a call, for the end of its line. */
static void
write_call_result(const struct tool_loop_call *c, char *end, size_t size)
{
    if (c->again)
        snprintf(end, size, "  as before");
    else if (c->malformed)
        snprintf(end, size, "  %s", c->why);
    else if (c->limit_ms)
        snprintf(end, size, "  timed out after %.3g s",
                 (double)c->limit_ms / 1000);
    else if (c->failed)
        snprintf(end, size, c->ran ? "  failed" : "  refused");
    else if (c->len < c->bytes)
        snprintf(end, size, "  %zu of %zu bytes", c->len, c->bytes);
    else
        snprintf(end, size, "  %zu bytes", c->bytes);
}

/* Appends a line such as "  looked: fs.read_file /etc/hosts  312 bytes". */
static void
write_call_line(const struct term *t, const struct tool_loop_call *c,
                struct buf *out)
{
    CLEANUP_BUF struct buf line = buf_of(CALL_LINE_MAX);
    char end[64];
    size_t room = (size_t)t->columns, used;

    write_call_result(c, end, sizeof(end));
    buf_str(&line, c->malformed ? "  refused: " : "  looked: ");
    escape_str(&line, NULL, c->line, ESCAPE_LINES);
    used = strlen(end) + 1;
    buf_str(out, style_on(t, STYLE_DIM));
    if (t->tty && room > 2 * used)
        (void)width_truncate(out, line.p, line.len, room - used,
                             style_symbol(t, SYMBOL_ELLIPSIS));
    else
        buf_add(out, line.p, line.len);
    buf_printf(out, "%s%s\n", end, style_off(t, STYLE_DIM));
}

static void
write_label(const struct model_query *q, char label[LABEL_MAX])
{
    snprintf(label, LABEL_MAX, "asking %s", q->model_name);
}

/* The live line says whether the model or a tool takes the time. */
static void
on_tool_call_begin(void *arg, const char *line)
{
    struct model_query *q = arg;
    CLEANUP_BUF struct buf what = buf_of(CALL_LINE_MAX);
    char label[LABEL_MAX];

    write_label(q, label);
    if (line)
        buf_printf(&what, "looking: %s", line);
    if (q->live)
        progress_line_set_text(q->live, line && !what.bad ? what.p : label);
}

static void
print_text(struct model_query *q, const struct buf *b)
{
    if (q->live)
        (void)progress_line_write(q->live, b->p, b->len, NULL);
    else
        (void)term_write(&q->app->screen, b->p, b->len, NULL);
}

static void
on_tool_call_end(void *arg, const struct tool_loop_call *c)
{
    struct model_query *q = arg;
    CLEANUP_BUF struct buf b = buf_of(CALL_LINE_MAX);
    const struct term *t = &q->app->screen;

    run_audit_tool_call(q->app->audit, c);
    app_report_tool_call(q->app, c);
    if (q->app->quiet)
        return;
    q->refused += c->malformed;
    if (c->malformed && q->refused > REFUSED_SHOWN && !q->app->verbose)
        return;
    write_call_line(t, c, &b);
    print_text(q, &b);
}

/* Prints how many refused calls were not printed by name. */
static void
put_refused(struct model_query *q)
{
    CLEANUP_BUF struct buf b = buf_of(LABEL_MAX);
    const struct term *t = &q->app->screen;

    if (q->refused > REFUSED_SHOWN && !q->app->verbose) {
        buf_printf(&b, "%s  refused: %zu more%s\n", style_on(t, STYLE_DIM),
                   q->refused - REFUSED_SHOWN, style_off(t, STYLE_DIM));
        print_text(q, &b);
    }
    q->refused = 0;
}

/* Finds what the answers cost. A file of prices that cannot be read is noted,
 * and there is no cost. */
static void
price_usage(struct model_query *q, struct conversation_usage *f)
{
    const struct price_use use = {f->tokens_in, f->tokens_cached,
                                  f->tokens_cache_written, f->tokens_out,
                                  f->tokens_in_most};
    struct err e = {0};
    int rc;

    if (f->tokens_in <= 0 && f->tokens_out <= 0)
        return;
    rc = price_find(q->app->config, q->selection, f->model, &f->price, &e);
    if (rc > 0)
        f->cost = price_cost(&f->price, &use);
    if (rc < 0 && !q->price_noted)
        app_note(q->app, "no price: %s", e.text);
    q->price_noted = q->price_noted || rc < 0;
}

static void
on_proposed(void *arg, struct aiaction *a, const struct conversation_usage *f)
{
    struct model_query *q = arg;

    q->out->action = a;
    q->out->facts = *f;
    if (f->model && f->model[0]) {
        free(q->out->model);
        q->out->model = strdup(f->model);
    }
    q->out->facts.model = q->out->model;
    price_usage(q, &q->out->facts);
    q->done = true;
}

/* Keeps what was answered before the failure, which has its price. The name
 * that the server gave went with the last answer. */
static void
keep_spent(struct model_query *q)
{
    struct conversation_usage f;

    if (!q->agent)
        return;
    f = *agent_loop_usage(q->agent);
    f.model = NULL;
    price_usage(q, &f);
    run_audit_spent(q->app->audit, &f);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct model_query *q = arg;

    keep_spent(q);
    q->failure = *why;
    q->done = true;
}

static void
on_signal(void *arg, unsigned signo)
{
    struct model_query *q = arg;

    (void)signo;
    if (!q->done)
        agent_loop_cancel(q->agent);
}

/* Whether the model may call tools. What a command line means does not hang on
 * this machine. */
static bool
is_to_look(const struct model_query *q)
{
    return !q->request->no_tool_calls &&
           config_bool(q->app->config, CONFIG_MODEL_LOOK) &&
           (q->request->mode != AIACTION_EXPLAIN ||
            !explain_is_command(q->app->seat, q->request->text));
}

/* Opens the registry, and the tool loop where the model may call tools. Where
 * the registry cannot be read the user is told, and the model has no tools. */
static int
open_tool_loop(struct model_query *q, struct err *e)
{
    struct app *a = q->app;
    struct tool_loop_setting set = {0};
    struct err why = {0};

    if (app_registry(a, &why) < 0) {
        app_note(a, "no tools: %s", why.text);
        return 0;
    }
    q->tools = step_tools_checker(a->registry, a->seat);
    if ((q->request->mode != AIACTION_EXPLAIN || is_to_look(q)) &&
        tool_listing_wait(a, a->registry, NULL, e) < 0)
        return -1;
    if (!is_to_look(q))
        return 0;
    set = (struct tool_loop_setting){.registry = a->registry,
                                     .policy = a->policy,
                                     .config = a->config,
                                     .seat = a->seat,
                                     .named = (const char *const *)a->named};
    q->tool_loop = tool_loop_new(a->loop, &set, e);
    return q->tool_loop ? 0 : -1;
}

/* Whether there is a tool that the model may call. */
static bool
may_look(const struct model_query *q)
{
    size_t n = 0;

    if (q->tool_loop)
        (void)tool_loop_tools(q->tool_loop, &n);
    return n > 0;
}

static int
prepare_query(struct model_query *q, const struct model_selection *c,
              const struct buf *input, struct err *e)
{
    struct app *a = q->app;
    const struct user_request request = {.mode = q->request->mode,
                                         .text = q->request->text,
                                         .input = input->p,
                                         .input_len = input->len,
                                         .input_name = STDIN_INPUT_NAME};

    /* it starts while the context is gathered */
    if (!q->request->show_request &&
        !(q->model = model_start(a->loop, a->warm_process, c, e)))
        return -1;
    if (app_policy(a, e) < 0 || open_tool_loop(q, e) < 0 ||
        request_message_write_system(a->registry, request.mode, may_look(q),
                                     &q->system, &q->origin, e) < 0 ||
        request_message_write(a->seat, &request, c, &q->user, &q->origin, e) <
            0 ||
        answer_schema_write(q->request->mode, a->registry, &q->schema, e) < 0)
        return -1;
    run_audit_model(a->audit, c, q->user.len);
    return 0;
}

struct model_query *
model_query_open(struct app *a, const struct assist_request *request,
                 const struct model_selection *c, const struct buf *input,
                 struct err *e)
{
    CLEANUP(model_query_close_p) struct model_query *q = calloc(1, sizeof(*q));

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->app = a;
    q->request = request;
    q->selection = c;
    q->model_name = model_selection_model(c);
    buf_init(&q->system, MESSAGE_MAX);
    buf_init(&q->user, MESSAGE_MAX);
    buf_init(&q->schema, MESSAGE_MAX);
    buf_init(&q->words, PROPOSAL_WORDS_MAX);
    step_results_init(&q->results);
    return prepare_query(q, c, input, e) < 0 ? NULL : TAKE_PTR(q);
}

void
model_query_close(struct model_query *q)
{
    if (!q)
        return;
    progress_line_close(q->live);
    agent_loop_free(q->agent);
    tool_loop_free(q->tool_loop);
    model_free(q->model);
    step_results_done(&q->results);
    buf_done(&q->words);
    buf_done(&q->schema);
    buf_done(&q->user);
    buf_done(&q->system);
    free(q);
}

bool
model_query_has_message(const struct model_query *q)
{
    return q->results.wanted || q->words.len > 0;
}

static struct agent_loop_params
agent_params(const struct model_query *q)
{
    return (struct agent_loop_params){
        .mode = q->request->mode,
        .system = q->system.p,
        .schema = q->schema.p,
        .user = q->user.p,
        .outside = origin_outside(&q->origin),
        .tool_loop = q->tool_loop,
        .tools = q->tools.check ? &q->tools : NULL,
    };
}

void
model_query_first_request(const struct model_query *q, struct model_turn *turn,
                          struct model_request *r)
{
    const struct agent_loop_params params = agent_params(q);

    *turn = (struct model_turn){.role = MODEL_USER, .text = q->user.p};
    agent_loop_fill_request(&params, 0, r);
    r->turns = turn;
    r->n_turns = 1;
}

static int
wait_for_answer(struct model_query *q, struct err *e)
{
    CLEANUP(stop_signals_done) struct stop_signals stops;
    int rc = stop_signals_init(&stops, q->app->loop, on_signal, q, e);

    while (!q->done && rc >= 0)
        rc = loop_turn(q->app->loop, -1, e);
    progress_line_close(q->live);
    q->live = NULL;
    put_refused(q);
    if (rc < 0)
        return -1;
    if (q->failure.code == ERR_NONE)
        return 0;
    if (e)
        *e = q->failure;
    return -1;
}

static int
send_first(struct model_query *q, struct err *e)
{
    static const struct agent_loop_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .tool_started = on_tool_call_begin,
        .tool_ended = on_tool_call_end,
        .proposed = on_proposed,
        .failed = on_failed,
    };
    const struct agent_loop_params params = agent_params(q);

    q->agent = agent_loop_start(q->model, &params, &events, q, e);
    if (q->agent)
        run_audit_ask(q->app->audit); /* while the model thinks */
    return q->agent ? 0 : -1;
}

/* Sends the next message; its text is gone then. */
static int
send_message(struct model_query *q, struct err *e)
{
    const struct buf *results = &q->results.text;
    int rc = q->words.len > 0    ? agent_loop_revise(q->agent, q->words.p, e)
             : q->results.wanted ? agent_loop_send_results(q->agent, results->p,
                                                           results->len, e)
                                 : send_first(q, e);

    q->results.wanted = false;
    buf_clear(&q->results.text);
    buf_clear(&q->words);
    return rc;
}

int
model_query_run(struct model_query *q, struct answer_stream *s,
                struct proposal *out, struct err *e)
{
    char label[LABEL_MAX];

    write_label(q, label);
    *out = (struct proposal){
        .asked = true, .model = strdup(q->model_name), .words = &q->words};
    q->answer = s;
    q->out = out;
    q->done = false;
    q->failure = (struct err){0};
    if (!q->app->quiet)
        q->live = progress_line_open(q->app->loop, &q->app->screen, label,
                                     NULL);
    if (send_message(q, e) < 0 || wait_for_answer(q, e) < 0) {
        progress_line_close(q->live);
        q->live = NULL;
        return -1;
    }
    out->outside = agent_loop_outside(q->agent);
    out->results = agent_loop_may_continue(q->agent) ? &q->results : NULL;
    return 0;
}
