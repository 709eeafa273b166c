/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - sends requests to the model process and reports its events. */
#include "model/client.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/worker.h"
#include "model/ipc.h"
#include "model/model_memory.h"
#include "model/model_process.h"
#include "model/provider/default_models.h"
#include "model/provider/tool_calls.h"
#include "model/quirk_cache.h"
#include "model/request.h"
#include "model/request_copy.h"

/* A request whose texts have more bytes is redacted and written in a thread:
 * that takes a processor some 10 ms for each MiB. */
#define WRITTEN_HERE_MAX (32u << 10)
/* A process that is cancelled may report so for this long; then it is killed.
 */
#define CANCEL_MS 60
/* A process that is silent for this long after the total limit hangs. */
#define SLACK_MS 3000

/* A long request on its way to the process. The thread that writes it reads
 * nothing else: the query of the model may be lost meanwhile. */
struct long_query {
    struct model *model;
    struct worker *worker;
    int64_t id;                              /* of the query */
    const struct model_selection *selection; /* of the model */
    struct request_copy *request;
    struct buf line;
    struct err why; /* why it cannot be written */
};

struct model {
    struct loop *loop;
    struct model_selection *selection;
    struct model_process *process;
    bool owns;                   /* the process is for this model alone */
    struct process_query *query; /* NULL: no request runs */
    struct long_query *unsent;   /* that is being written; or NULL */
    struct watch *timer;
    bool cancelled;  /* the request that runs */
    bool held;       /* text and answers are not wanted now */
    bool late;       /* its time is over, but its process is alive */
    bool voided;     /* the text that was shown is not the answer's */
    struct buf text; /* of the answer so far */
    struct tool_calls tool_calls;
    struct model_events ev;
    void *arg;
};

static void
long_query_free(struct long_query *w)
{
    if (!w)
        return;
    worker_free(w->worker);
    request_copy_free(w->request);
    buf_done(&w->line);
    free(w);
}
DEFINE_CLEANUP(struct long_query, long_query_free)

/* Called before the caller's callbacks, which may send the next request or free
 * the model. */
static void
stop_running(struct model *m)
{
    long_query_free(TAKE_PTR(m->unsent));
    process_query_close(m->query);
    m->query = NULL;
    m->cancelled = m->late = false;
    watch_free(m->timer);
    m->timer = NULL;
}

static void
report_failure(struct model *m, const struct err *why)
{
    struct err e = *why;

    if (m->cancelled)
        err_set(&e, ERR_INTERRUPTED, "interrupted");
    stop_running(m);
    if (m->ev.failed)
        m->ev.failed(m->arg, &e);
}

/* Lists the tool calls in calls and a. Returns whether all of them came. */
static bool
list_tool_calls(const struct tool_calls *w, const struct json *v,
                struct model_tool_call *calls, struct model_answer *a)
{
    int64_t n = -1;

    for (size_t i = 0; i < w->n && i < MODEL_TOOL_CALLS_MAX; i++)
        calls[i] = tool_calls_view(&w->rows[i]);
    a->tool_calls = calls;
    a->n_tool_calls = w->n;
    return json_int(json_get(v, "wanted"), &n) && n == (int64_t)w->n &&
           n <= MODEL_TOOL_CALLS_MAX;
}

static void
read_token_counts(const struct json *v, struct model_answer *a)
{
    static const struct {
        const char *name;
        size_t at;
    } rows[] = {
        {"tokens_in", offsetof(struct model_answer, tokens_in)},
        {"tokens_out", offsetof(struct model_answer, tokens_out)},
        {"tokens_cached", offsetof(struct model_answer, tokens_cached)},
        {"tokens_cache_written",
         offsetof(struct model_answer, tokens_cache_written)},
        {"tokens_reasoning", offsetof(struct model_answer, tokens_reasoning)},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        int64_t *to = (int64_t *)(void *)((char *)a + rows[i].at);

        *to = -1;
        (void)json_int(json_get(v, rows[i].name), to);
    }
}

static void
on_answer(struct model *m, const struct json *v)
{
    CLEANUP_BUF struct buf text = m->text;
    CLEANUP(tool_calls_done) struct tool_calls tool_calls = m->tool_calls;
    struct model_tool_call calls[MODEL_TOOL_CALLS_MAX];
    struct model_answer a = {
        .text = text.p, .len = text.len, .model = json_get_str(v, "model")};
    bool all = list_tool_calls(&tool_calls, v, calls, &a);
    struct err lost = {0};
    int64_t bytes = -1;

    buf_init(&m->text, MODEL_ANSWER_MAX);
    m->tool_calls = (struct tool_calls){0};
    (void)json_int(json_get(v, "bytes"), &bytes);
    read_token_counts(v, &a);
    (void)json_int(json_get(v, "ms"), &a.ms);
    if (!all || text.bad || bytes != (int64_t)text.len) {
        err_set(&lost, ERR_MODEL,
                "the model process lost a part of the answer. To do: try "
                "again");
        report_failure(m, &lost);
        return;
    }
    stop_running(m);
    if (m->ev.answer)
        m->ev.answer(m->arg, &a);
}

static void
on_failed(struct model *m, const struct json *v)
{
    struct err why = {0};

    ipc_failed_read(v, &why);
    report_failure(m, &why);
}

static void
on_text(struct model *m, const struct json *v)
{
    size_t n;
    const char *p = json_str(json_get(v, "text"), &n);

    if (!p)
        return;
    buf_add(&m->text, p, n);
    if (m->ev.text && !m->voided)
        m->ev.text(m->arg, p, n);
}

static void
on_void(struct model *m, const struct json *v)
{
    (void)v;
    buf_clear(&m->text);
    m->voided = true;
}

static void
on_tool_call(struct model *m, const struct json *v)
{
    struct model_tool_call c;

    if (ipc_tool_call_read(json_get(v, "call"), &c) == 0)
        (void)tool_calls_add_copy(&m->tool_calls, &c);
}

static void
on_thinking(struct model *m, const struct json *v)
{
    (void)v;
    if (m->ev.thinking)
        m->ev.thinking(m->arg);
}

static void
on_waiting(struct model *m, const struct json *v)
{
    const char *line = json_get_str(v, "line");

    if (m->ev.waiting && line)
        m->ev.waiting(m->arg, line);
}

static void
on_quirk(struct model *m, const struct json *v)
{
    const char *name = json_get_str(v, "quirk");
    struct model_selection *s = m->selection;

    s->quirks |= name ? quirk_bit(name) : 0;
    quirk_cache_store(&s->dirs, s->address, s->model, s->quirks);
}

/* The default is gone, and another model has answered: it is asked from now on.
 */
static void
on_chosen(struct model *m, const struct json *v)
{
    const char *name = json_get_str(v, "model");
    struct model_selection *s = m->selection;
    const char *gone = default_models_at(s->provider, 0);
    char *copy = name && *name && s->any_model ? strdup(name) : NULL;

    if (!copy)
        return;
    free(s->model);
    s->model = copy;
    if (gone)
        model_memory_store(&s->dirs, s->address, gone, s->model);
}

struct event_row {
    const char *name;
    void (*handle)(struct model *m, const struct json *v);
    bool last;
};

static const struct event_row event_rows[] = {
    {"text", on_text, false},       {"thinking", on_thinking, false},
    {"waiting", on_waiting, false}, {"chosen", on_chosen, false},
    {"learned", on_quirk, false},   {"wanted", on_tool_call, false},
    {"answer", on_answer, true},    {"failed", on_failed, true},
    {"void", on_void, false},
};

/* Of a request that was cancelled nothing more is reported but its end. */
static void
on_event(void *arg, const char *name, const struct json *v)
{
    struct model *m = arg;
    struct err interrupted = {0};

    for (size_t i = 0; i < ARRAY_SIZE(event_rows); i++) {
        if (strcmp(event_rows[i].name, name) != 0)
            continue;
        if (!m->cancelled || event_rows[i].handle == on_quirk)
            event_rows[i].handle(m, v);
        else if (event_rows[i].last)
            report_failure(m, &interrupted);
        return;
    }
}

static void
on_lost(void *arg, const struct err *why)
{
    struct model *m = arg;

    m->query = NULL;
    report_failure(m, why);
}

/* The process has not ended the request in its time. Where it writes about
 * others, only this one fails. */
static void
fail_late(struct model *m)
{
    struct err e = {0};
    bool silent = clock_ms() - model_process_heard_ms(m->process) >= SLACK_MS;

    err_set(&e, ERR_TIMEOUT,
            "the model process does not respond. To do: try again");
    if (silent) {
        model_process_fail(m->process, &e);
    } else if (!m->late) {
        m->late = true;
        watch_again(m->timer, SLACK_MS);
    } else {
        process_query_command(m->query, "cancel");
        report_failure(m, &e);
    }
}

static void
on_timer(void *arg, unsigned events)
{
    struct model *m = arg;
    struct err e = {0};

    (void)events;
    err_set(&e, ERR_INTERRUPTED, "interrupted");
    if (!m->cancelled)
        fail_late(m);
    else if (m->owns)
        model_process_fail(m->process, &e);
    else
        report_failure(m, &e);
}

static struct model *
new_model(struct loop *l, const struct model_selection *selection,
          struct err *e)
{
    CLEANUP(model_free_p) struct model *m = calloc(1, sizeof(*m));

    if (!m) {
        err_sys(e, "model");
        return NULL;
    }
    m->loop = l;
    buf_init(&m->text, MODEL_ANSWER_MAX);
    m->selection = model_selection_copy(selection, e);
    return m->selection ? TAKE_PTR(m) : NULL;
}

struct model *
model_start(struct loop *l, int socket, const struct model_selection *selection,
            struct err *e)
{
    CLEANUP(model_free_p) struct model *m = new_model(l, selection, e);

    if (!m)
        return NULL;
    m->owns = true;
    m->process = model_process_new(l, socket, e);
    if (!m->process || model_process_start(m->process, e) < 0)
        return NULL;
    return TAKE_PTR(m);
}

struct model *
model_open(struct loop *l, struct model_process *process,
           const struct model_selection *selection, struct err *e)
{
    struct model *m = new_model(l, selection, e);

    if (m)
        m->process = process;
    return m;
}

void
model_free(struct model *m)
{
    if (!m)
        return;
    long_query_free(m->unsent);
    if (m->query && !m->owns)
        process_query_command(m->query, "cancel");
    if (m->owns && m->query)
        model_process_free(m->process);
    else if (m->owns)
        model_process_return(m->process);
    else
        process_query_close(m->query);
    watch_free(m->timer);
    model_selection_free(m->selection);
    buf_done(&m->text);
    tool_calls_done(&m->tool_calls);
    free(m);
}

static int
write_model_query(int64_t id, const struct model_selection *s,
                  const struct model_request *r, struct buf *line,
                  struct err *e)
{
    CLEANUP(model_prepared_request_done) struct model_prepared_request prepared;
    struct ipc_query q = {.id = id,
                          .key = s->key,
                          .ca_file = s->ca_file,
                          .any_model = s->any_model,
                          .limits = s->limits};

    if (model_prepared_request_init(&prepared, s, r, e) < 0)
        return -1;
    q.request = prepared.request;
    return ipc_query_write(&q, line, e);
}

static void
write_long_query(void *arg)
{
    struct long_query *w = arg;

    (void)write_model_query(w->id, w->selection, request_copy_of(w->request),
                            &w->line, &w->why);
    buf_fit(&w->line);
}

static void
on_written(void *arg)
{
    CLEANUP(long_query_free_p) struct long_query *w = arg;
    struct model *m = w->model;

    m->unsent = NULL;
    if (m->cancelled)
        return; /* the timer says so */
    if (w->why.code != ERR_NONE ||
        process_query_send(m->query, &w->line, &w->why) < 0)
        report_failure(m, &w->why);
    else if (m->held)
        process_query_command(m->query, "hold");
}

static int
write_aside(struct model *m, const struct model_request *r, struct err *e)
{
    CLEANUP(long_query_free_p) struct long_query *w = calloc(1, sizeof(*w));

    if (!w)
        return err_nomem(e);
    w->model = m;
    w->id = process_query_id(m->query);
    w->selection = m->selection;
    w->line = buf_of_secret(IPC_LINE_MAX);
    if (!(w->request = request_copy_new(r, e)))
        return -1;
    w->worker = worker_start(m->loop, write_long_query, on_written, w, e);
    if (!w->worker)
        return -1;
    m->unsent = TAKE_PTR(w);
    return 0;
}

static size_t
text_length(const char *text)
{
    return text ? strlen(text) : 0;
}

static bool
is_long(const struct model_request *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_turns; i++) {
        n += r->turns[i].images ? r->turns[i].images->bytes : 0;
        n += text_length(r->turns[i].text);
        for (size_t k = 0; k < r->turns[i].n_tool_calls; k++)
            n += r->turns[i].tool_calls[k].args_len;
    }
    for (size_t i = 0; i < r->n_tools; i++)
        n += text_length(r->tools[i].schema);
    return n + text_length(r->system) + text_length(r->schema) >
           WRITTEN_HERE_MAX;
}

static int
send_to_process(struct model *m, const struct model_request *r, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of_secret(IPC_LINE_MAX);

    if (is_long(r))
        return write_aside(m, r, e);
    if (write_model_query(process_query_id(m->query), m->selection, r, &line,
                          e) < 0)
        return -1;
    return process_query_send(m->query, &line, e);
}

static int64_t
deadline_ms(const struct model *m)
{
    return m->selection->limits.total_ms + SLACK_MS;
}

int
model_ask(struct model *m, const struct model_request *r,
          const struct model_events *ev, void *arg, struct err *e)
{
    static const struct process_query_events events = {on_event, on_lost};

    if (m->query)
        return err_set(e, ERR_INVALID, "a request is still running");
    m->query = process_query_open(m->process, &events, m, e);
    if (!m->query)
        return -1;
    m->timer = loop_timer(m->loop, deadline_ms(m), on_timer, m, e);
    if (!m->timer || send_to_process(m, r, e) < 0) {
        stop_running(m);
        return -1;
    }
    if (m->held)
        watch_stop(m->timer);
    if (m->held && !m->unsent)
        process_query_command(m->query, "hold");
    buf_clear(&m->text);
    tool_calls_done(&m->tool_calls);
    m->voided = false;
    m->ev = *ev;
    m->arg = arg;
    return 0;
}

void
model_cancel(struct model *m)
{
    if (!m->query || m->cancelled)
        return;
    m->cancelled = true;
    if (!m->unsent)
        process_query_command(m->query, "cancel");
    watch_again(m->timer, CANCEL_MS);
}

void
model_drop(struct model *m)
{
    if (!m->query)
        return;
    if (!m->unsent)
        process_query_command(m->query, "cancel");
    stop_running(m);
}

/* Its time may pass while nobody wants the answer. */
void
model_hold(struct model *m, bool held)
{
    bool changed = m->held != held;

    m->held = held;
    if (!m->query || m->cancelled || !changed)
        return;
    if (!m->unsent)
        process_query_command(m->query, held ? "hold" : "resume");
    if (held)
        watch_stop(m->timer);
    else
        watch_again(m->timer, deadline_ms(m));
}
