/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_query.c - asks a model while the user waits. */
#include "ui/model_query.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "action/step_tools.h"
#include "term/escape.h"
#include "term/progress_line.h"
#include "term/style.h"
#include "term/width.h"
#include "ui/audit.h"
#include "ui/stop_signals.h"

#define LABEL_MAX     160
#define REFUSED_SHOWN 4           /* refused calls that are printed by name */
#define CALL_LINE_MAX (64u << 10) /* bytes of a call's line, all escaped */

struct model_query {
    struct app *app;
    struct model_query_params params;
    const char *user, *outside;
    struct aiaction_tools tools;
    struct tool_loop *tool_loop; /* NULL: the model answers at once */
    struct agent_loop *inquiry;
    struct answer_stream *answer;
    struct progress_line *live;
    struct proposal *out;
    struct err failure;
    bool done;
    size_t refused; /* malformed calls since the last message */
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
    snprintf(label, LABEL_MAX, "asking %s", q->params.model_name);
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

    audit_tool_call(q->app, c);
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
    q->done = true;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct model_query *q = arg;

    q->failure = *why;
    q->done = true;
}

static void
on_signal(void *arg, unsigned signo)
{
    struct model_query *q = arg;

    (void)signo;
    if (!q->done)
        agent_loop_cancel(q->inquiry);
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
    q->tools = step_tools_checker(a->registry);
    if (!q->params.may_call_tools)
        return 0;
    set = (struct tool_loop_setting){a->registry, a->policy, a->config,
                                     (const char *const *)a->named};
    q->tool_loop = tool_loop_new(a->loop, &set, e);
    return q->tool_loop ? 0 : -1;
}

struct model_query *
model_query_open(struct app *a, const struct model_query_params *w,
                 struct err *e)
{
    CLEANUP(model_query_close_p) struct model_query *q = calloc(1, sizeof(*q));

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->app = a;
    q->params = *w;
    return open_tool_loop(q, e) < 0 ? NULL : TAKE_PTR(q);
}

void
model_query_close(struct model_query *q)
{
    if (!q)
        return;
    progress_line_close(q->live);
    agent_loop_free(q->inquiry);
    tool_loop_free(q->tool_loop);
    free(q);
}

void
model_query_set_message(struct model_query *q, const char *user,
                        const char *outside)
{
    q->user = user;
    q->outside = outside;
}

static struct agent_loop_params
inquiry_params(const struct model_query *q)
{
    return (struct agent_loop_params){
        .mode = q->params.mode,
        .user = q->user,
        .outside = q->outside,
        .tool_loop = q->tool_loop,
        .tools = q->tools.check ? &q->tools : NULL,
    };
}

void
model_query_first_request(const struct model_query *q, struct model_turn *turn,
                          struct model_request *r)
{
    *turn = (struct model_turn){.role = MODEL_USER, .text = q->user};
    agent_loop_fill_request(q->tool_loop, 0, r);
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
send_message(struct model_query *q, const struct step_results *results,
             const char *words, struct err *e)
{
    static const struct agent_loop_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .tool_started = on_tool_call_begin,
        .tool_ended = on_tool_call_end,
        .proposed = on_proposed,
        .failed = on_failed,
    };
    const struct agent_loop_params params = inquiry_params(q);

    if (words)
        return agent_loop_revise(q->inquiry, words, e);
    if (results)
        return agent_loop_send_results(q->inquiry, results->text.p,
                                       results->text.len, e);
    q->inquiry = agent_loop_start(q->params.model, &params, &events, q, e);
    if (q->inquiry)
        audit_request(q->app); /* while the model thinks */
    return q->inquiry ? 0 : -1;
}

int
model_query_run(struct model_query *q, const struct step_results *results,
                const char *words, struct answer_stream *s,
                struct proposal *out, struct err *e)
{
    char label[LABEL_MAX];

    write_label(q, label);
    *out = (struct proposal){.asked = true,
                             .model = strdup(q->params.model_name)};
    q->answer = s;
    q->out = out;
    q->done = false;
    q->failure = (struct err){0};
    if (!q->app->quiet)
        q->live = progress_line_open(q->app->loop, &q->app->screen, label,
                                     NULL);
    if (send_message(q, results, words, e) < 0 || wait_for_answer(q, e) < 0) {
        progress_line_close(q->live);
        q->live = NULL;
        return -1;
    }
    out->outside = agent_loop_outside(q->inquiry);
    out->may_go_on = agent_loop_may_continue(q->inquiry);
    return 0;
}
