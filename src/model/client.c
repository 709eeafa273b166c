/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - sends requests to the model process and reports its events. */
#include "model/client.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/array.h"
#include "model/model_memory.h"
#include "model/process_pipe.h"
#include "model/provider/default_models.h"
#include "model/provider/tool_calls.h"
#include "model/quirk_cache.h"
#include "model/request.h"

/* A process that is cancelled may report so for this long; then it is killed.
 */
#define CANCEL_MS 60
/* A process that is silent for this long after the total limit hangs. */
#define SLACK_MS 3000

struct model {
    struct loop *loop;
    struct model_selection *selection;
    struct process_pipe *pipe; /* NULL: the process does not run */
    int warm; /* the socket of a process that is kept; -1: none */
    struct watch *timer;
    int64_t id;              /* of the last query */
    bool running, cancelled; /* a query runs; it is cancelled */
    bool voided;             /* the text that was shown is not the answer's */
    struct buf text;         /* of the answer so far */
    struct tool_calls tool_calls;
    struct model_events ev;
    void *arg;
    struct err why; /* why the process ends, as it reported */
};

static void
stop_process(struct model *m)
{
    process_pipe_free(m->pipe);
    m->pipe = NULL;
}

/* Called before the caller's callbacks, which may send the next request or free
 * the model. */
static void
stop_running(struct model *m)
{
    m->running = m->cancelled = false;
    watch_free(m->timer);
    m->timer = NULL;
}

static void
report_failure(struct model *m, const struct err *why)
{
    stop_running(m);
    if (m->ev.failed)
        m->ev.failed(m->arg, why);
}

static void
stop_and_fail(struct model *m, enum err_code code, const char *text)
{
    struct err e = {0};

    stop_process(m);
    err_set(&e, code, "%s", text);
    report_failure(m, &e);
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
    int64_t bytes = -1;

    buf_init(&m->text, MODEL_ANSWER_MAX);
    m->tool_calls = (struct tool_calls){0};
    (void)json_int(json_get(v, "bytes"), &bytes);
    read_token_counts(v, &a);
    (void)json_int(json_get(v, "ms"), &a.ms);
    if (!all || text.bad || bytes != (int64_t)text.len) {
        stop_and_fail(m, ERR_MODEL,
                      "the model process lost a part of the "
                      "answer. To do: try again");
        return;
    }
    stop_running(m);
    if (m->ev.answer)
        m->ev.answer(m->arg, &a);
}

static void
on_failed(struct model *m, const struct json *v)
{
    const char *text = json_get_str(v, "text");
    struct err e = {0};
    int64_t code, kind, id = 0;

    if (!json_int(json_get(v, "code"), &code) || code <= 0 || code >= ERR_N)
        code = ERR_MODEL;
    if (!json_int(json_get(v, "kind"), &kind) || kind < 0 || kind >= ERR_KIND_N)
        kind = ERR_KIND_NONE;
    err_set_kind(&e, (enum err_code)code, (enum err_kind)kind, "%s",
                 text ? text : "no reason given");
    if (json_int(json_get(v, "id"), &id) && id == 0) {
        m->why = e; /* the process ends now */
        return;
    }
    if (m->cancelled)
        err_set(&e, ERR_INTERRUPTED, "interrupted");
    report_failure(m, &e);
}

static void
on_text(struct model *m, const struct json *v)
{
    size_t n;
    const char *p = json_str(json_get(v, "text"), &n);

    if (!p)
        return;
    buf_add(&m->text, p, n);
    if (m->ev.text && !m->cancelled && !m->voided)
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
    quirk_cache_store(s->address, s->model, s->quirks);
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
        model_memory_store(s->address, gone, s->model);
}

struct event_row {
    const char *name;
    void (*handle)(struct model *m, const struct json *v);
};

static const struct event_row event_rows[] = {
    {"text", on_text},     {"thinking", on_thinking}, {"waiting", on_waiting},
    {"chosen", on_chosen}, {"learned", on_quirk},     {"wanted", on_tool_call},
    {"answer", on_answer}, {"failed", on_failed},     {"void", on_void},
};

/* Drops the late events of an earlier query. Id 0 is about the process itself,
 * which cannot work at all. */
static void
on_line(void *arg, const char *line, size_t n)
{
    struct model *m = arg;
    CLEANUP(json_free_p) struct json *v = json_parse(line, n, 0, NULL);
    const char *name = json_get_str(v, "event");
    int64_t id = -1;

    if (!name || !json_int(json_get(v, "id"), &id) ||
        (id != 0 && (id != m->id || !m->running)))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(event_rows); i++) {
        if (strcmp(event_rows[i].name, name) == 0) {
            event_rows[i].handle(m, v);
            return;
        }
    }
}

/* Between queries this is no failure: the next query starts a process. */
static void
on_gone(void *arg, int status)
{
    struct model *m = arg;
    char text[128];

    stop_process(m);
    if (!m->running)
        return;
    if (m->cancelled) {
        stop_and_fail(m, ERR_INTERRUPTED, "interrupted");
        return;
    }
    if (m->why.code != ERR_NONE) {
        stop_and_fail(m, m->why.code, m->why.text);
        return;
    }
    snprintf(text, sizeof(text),
             "the model process ended (status %d) before it answered. To do: "
             "try again, or use --offline",
             status);
    stop_and_fail(m, ERR_MODEL, text);
}

static void
on_timer(void *arg, unsigned events)
{
    struct model *m = arg;

    (void)events;
    if (m->cancelled)
        stop_and_fail(m, ERR_INTERRUPTED, "interrupted");
    else
        stop_and_fail(m, ERR_TIMEOUT,
                      "the model process does not respond. To do: try again");
}

/* A process that is kept may still write events of an earlier question: ids
 * that begin anywhere tell them apart. */
static void
begin_ids(struct model *m)
{
    uint32_t random = 0;

    (void)!getrandom(&random, sizeof(random), GRND_NONBLOCK);
    m->id += random;
}

static int
start_process(struct model *m, struct err *e)
{
    static const struct process_pipe_events events = {on_line, on_gone};

    m->why = (struct err){0};
    if (m->warm >= 0)
        m->pipe = process_pipe_borrow(m->loop, m->warm, &events, m, NULL);
    m->warm = -1; /* once: one that ended does not come back */
    if (m->pipe) {
        begin_ids(m);
        return 0;
    }
    m->pipe = process_pipe_start(m->loop, &events, m, e);
    return m->pipe ? 0 : -1;
}

struct model *
model_start(struct loop *l, int socket, const struct model_selection *selection,
            struct err *e)
{
    CLEANUP(model_free_p) struct model *m = calloc(1, sizeof(*m));

    if (!m) {
        err_sys(e, "model");
        return NULL;
    }
    m->loop = l;
    m->warm = socket;
    buf_init(&m->text, MODEL_ANSWER_MAX);
    m->selection = model_selection_copy(selection, e);
    if (!m->selection || start_process(m, e) < 0)
        return NULL;
    return TAKE_PTR(m);
}

void
model_free(struct model *m)
{
    if (!m)
        return;
    if (m->running)
        process_pipe_free(m->pipe);
    else
        process_pipe_return(m->pipe);
    watch_free(m->timer);
    model_selection_free(m->selection);
    buf_done(&m->text);
    tool_calls_done(&m->tool_calls);
    free(m);
}

static int
send_to_process(struct model *m, const struct model_request *r, struct err *e)
{
    CLEANUP(model_prepared_request_done) struct model_prepared_request prepared;
    CLEANUP_BUF struct buf line = buf_of_secret(IPC_LINE_MAX);
    struct ipc_query q = {.id = m->id + 1,
                          .key = m->selection->key,
                          .ca_file = m->selection->ca_file,
                          .any_model = m->selection->any_model,
                          .limits = m->selection->limits};

    if (model_prepared_request_init(&prepared, m->selection, r, e) < 0)
        return -1;
    q.request = prepared.request;
    if (ipc_query_write(&q, &line, e) < 0)
        return -1;
    return process_pipe_send(m->pipe, &line, e);
}

int
model_ask(struct model *m, const struct model_request *r,
          const struct model_events *ev, void *arg, struct err *e)
{
    if (m->running)
        return err_set(e, ERR_INVALID, "a request is still running");
    if (!m->pipe && start_process(m, e) < 0)
        return -1;
    m->timer = loop_timer(m->loop, m->selection->limits.total_ms + SLACK_MS,
                          on_timer, m, e);
    if (!m->timer || send_to_process(m, r, e) < 0) {
        stop_running(m);
        return -1;
    }
    buf_clear(&m->text);
    tool_calls_done(&m->tool_calls);
    m->id++;
    m->running = true;
    m->voided = false;
    m->ev = *ev;
    m->arg = arg;
    return 0;
}

void
model_cancel(struct model *m)
{
    CLEANUP_BUF struct buf line = buf_of(64);

    if (!m->running || m->cancelled)
        return;
    m->cancelled = true;
    buf_printf(&line, "{\"cancel\":%" PRId64 "}\n", m->id);
    if (m->pipe)
        (void)process_pipe_send(m->pipe, &line, NULL);
    watch_again(m->timer, CANCEL_MS);
}
