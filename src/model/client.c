/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - the front's end of the model process. */
#include "model/client.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/linebuf.h"
#include "base/proc.h"
#include "model/choice.h"

#define CANCEL_MS 60   /* for the process's own word; then it is killed */
#define SLACK_MS  3000 /* beyond the total limit: the process hangs */

struct model {
    struct loop *loop;
    struct model_choice *choice;
    struct proc *proc; /* NULL: not running */
    struct watch *reading, *writing, *timer;
    struct linebuf *in;
    struct buf out; /* what the pipe did not take yet */
    int64_t id;     /* of the last question */
    bool asking, cancelled;
    struct buf text; /* of the answer so far */
    struct model_events ev;
    void *arg;
    bool *freed; /* a callback may free us: then it is set */
};

static void on_readable(void *arg, unsigned events);
static void on_writable(void *arg, unsigned events);
static void on_timer(void *arg, unsigned events);

/* ---- the process */

static void
stop(struct model *m)
{
    watch_free(m->reading);
    watch_free(m->writing);
    m->reading = m->writing = NULL;
    linebuf_free(m->in);
    m->in = NULL;
    buf_clear(&m->out);
    proc_free(m->proc);
    m->proc = NULL;
}

static int
start(struct model *m, struct err *e)
{
    m->proc = model_process_start(e);
    if (!m->proc)
        return -1;
    m->in = linebuf_new(2 * ASK_EVENT_MAX, e);
    if (!m->in || fd_set_nonblock(proc_fd(m->proc, 0), true, e) < 0 ||
        fd_set_nonblock(proc_fd(m->proc, 1), true, e) < 0)
        return -1;
    m->reading = loop_fd(m->loop, proc_fd(m->proc, 1), LOOP_READ, on_readable,
                         m, e);
    m->writing = loop_fd(m->loop, proc_fd(m->proc, 0), 0, on_writable, m, e);
    return m->reading && m->writing ? 0 : -1;
}

struct model *
model_start(struct loop *l, const struct model_choice *choice, struct err *e)
{
    CLEANUP(model_free_p) struct model *m = calloc(1, sizeof(*m));

    if (!m) {
        err_sys(e, "model");
        return NULL;
    }
    m->loop = l;
    buf_init(&m->out, ASK_LINE_MAX);
    buf_init(&m->text, MODEL_ANSWER_MAX);
    m->choice = model_choice_copy(choice, e);
    if (!m->choice || start(m, e) < 0)
        return NULL;
    return TAKE_PTR(m);
}

void
model_free(struct model *m)
{
    if (!m)
        return;
    if (m->freed)
        *m->freed = true;
    stop(m);
    watch_free(m->timer);
    model_choice_free(m->choice);
    buf_done(&m->out);
    buf_done(&m->text);
    free(m);
}

/* ---- ends of a question: the caller's callback comes last, since it may ask
 * again, or free us */

static void
end_question(struct model *m)
{
    m->asking = m->cancelled = false;
    watch_free(m->timer);
    m->timer = NULL;
}

static void
fail(struct model *m, const struct err *why)
{
    end_question(m);
    if (m->ev.failed)
        m->ev.failed(m->arg, why);
}

static void
fail_stopped(struct model *m, enum err_code code, const char *text)
{
    struct err e = {0};

    stop(m);
    err_set(&e, code, "%s", text);
    fail(m, &e);
}

static void
on_answer(struct model *m, const struct json *v)
{
    CLEANUP_BUF struct buf text = m->text;
    struct model_answer a = {.text = text.p,
                             .len = text.len,
                             .model = json_get_str(v, "model"),
                             .tokens_in = -1,
                             .tokens_out = -1};
    int64_t bytes = -1;

    buf_init(&m->text, MODEL_ANSWER_MAX);
    (void)json_int(json_get(v, "bytes"), &bytes);
    (void)json_int(json_get(v, "tokens_in"), &a.tokens_in);
    (void)json_int(json_get(v, "tokens_out"), &a.tokens_out);
    (void)json_int(json_get(v, "ms"), &a.ms);
    if (text.bad || bytes != (int64_t)text.len) {
        fail_stopped(m, ERR_MODEL,
                     "the model process lost a part of the "
                     "answer. To do: try again");
        return;
    }
    end_question(m);
    if (m->ev.answer)
        m->ev.answer(m->arg, &a);
}

static void
on_failed(struct model *m, const struct json *v)
{
    const char *text = json_get_str(v, "text");
    struct err e = {0};
    int64_t code;

    if (!json_int(json_get(v, "code"), &code) || code <= 0 || code >= ERR_N)
        code = ERR_MODEL;
    err_set(&e, (enum err_code)code, "%s", text ? text : "no reason given");
    if (m->cancelled)
        err_set(&e, ERR_INTERRUPTED, "interrupted");
    fail(m, &e);
}

/* ---- its events */

static void
on_text(struct model *m, const struct json *v)
{
    size_t n;
    const char *p = json_str(json_get(v, "text"), &n);

    if (!p)
        return;
    buf_add(&m->text, p, n);
    if (m->ev.text && !m->cancelled)
        m->ev.text(m->arg, p, n);
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
on_learned(struct model *m, const struct json *v)
{
    const char *name = json_get_str(v, "quirk");
    struct model_choice *c = m->choice;

    c->quirks |= name ? quirk_bit(name) : 0;
    learned_store(c->url, c->model, c->quirks);
}

struct event_row {
    const char *name;
    void (*take)(struct model *m, const struct json *v);
};

static const struct event_row rows[] = {
    {"text", on_text},       {"thinking", on_thinking}, {"waiting", on_waiting},
    {"learned", on_learned}, {"answer", on_answer},     {"failed", on_failed},
};

/* Events of an older question are late, and dropped; id 0 is the process's
 * own, when it cannot work at all. */
static void
take_line(struct model *m, const char *line, size_t n)
{
    CLEANUP(json_free_p) struct json *v = json_parse(line, n, 0, NULL);
    const char *name = json_get_str(v, "event");
    int64_t id = -1;

    if (!name || !json_int(json_get(v, "id"), &id) || !m->asking ||
        (id != m->id && id != 0))
        return;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            rows[i].take(m, v);
            return;
        }
    }
}

/* The process is gone. Between questions that is no failure: the next one
 * starts another. */
static void
on_gone(struct model *m)
{
    int status = 0;
    char text[128];

    (void)proc_wait(m->proc, CANCEL_MS, &status, NULL);
    stop(m);
    if (!m->asking)
        return;
    if (m->cancelled) {
        fail_stopped(m, ERR_INTERRUPTED, "interrupted");
        return;
    }
    snprintf(text, sizeof(text),
             "the model process ended (status %d) before it answered. To do: "
             "try again, or use --offline",
             status);
    fail_stopped(m, ERR_MODEL, text);
}

static void
on_readable(void *arg, unsigned events)
{
    struct model *m = arg;
    bool freed = false, *outer = m->freed;
    struct err e = {0};
    const char *line;
    size_t len;
    long n = linebuf_read(m->in, proc_fd(m->proc, 1), &e);

    (void)events;
    if (n < 0 && e.sys == EAGAIN)
        return;
    m->freed = &freed;
    while (n > 0 && m->in && (line = linebuf_next(m->in, &len)) != NULL) {
        take_line(m, line, len);
        if (freed)
            break;
    }
    if (freed) {
        if (outer)
            *outer = true;
        return;
    }
    m->freed = outer;
    if (n <= 0 && m->proc)
        on_gone(m);
}

static void
on_timer(void *arg, unsigned events)
{
    struct model *m = arg;

    (void)events;
    if (m->cancelled)
        fail_stopped(m, ERR_INTERRUPTED, "interrupted");
    else
        fail_stopped(m, ERR_TIMEOUT,
                     "the model process hangs. To do: try again");
}

/* ---- what goes to it */

static void
on_writable(void *arg, unsigned events)
{
    struct model *m = arg;
    ssize_t n = write(proc_fd(m->proc, 0), m->out.p, m->out.len);

    (void)events;
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        buf_clear(&m->out); /* it is gone; that shows on the other pipe */
        n = 0;
    }
    if (n > 0) {
        explicit_bzero(m->out.p, (size_t)n);
        buf_drop(&m->out, (size_t)n);
    }
    watch_events(m->writing, m->out.len > 0 ? LOOP_WRITE : 0);
}

static int
put_question(struct model *m, const struct model_request *r, struct err *e)
{
    CLEANUP(model_call_done) struct model_call mc;
    struct ask a = {
        .id = m->id + 1, .key = m->choice->key, .limits = m->choice->limits};

    if (model_call_init(&mc, m->choice, r, e) < 0)
        return -1;
    a.call = mc.call;
    return ask_write(&a, &m->out, e);
}

int
model_ask(struct model *m, const struct model_request *r,
          const struct model_events *ev, void *arg, struct err *e)
{
    if (m->asking)
        return err_set(e, ERR_INVALID, "a question is still open");
    if (!m->proc && start(m, e) < 0) {
        stop(m);
        return -1;
    }
    m->timer = loop_timer(m->loop, m->choice->limits.total_ms + SLACK_MS,
                          on_timer, m, e);
    if (!m->timer || put_question(m, r, e) < 0) {
        end_question(m);
        buf_clear(&m->out);
        return -1;
    }
    buf_clear(&m->text);
    m->id++;
    m->asking = true;
    m->ev = *ev;
    m->arg = arg;
    on_writable(m, LOOP_WRITE);
    return 0;
}

void
model_cancel(struct model *m)
{
    if (!m->asking || m->cancelled)
        return;
    m->cancelled = true;
    buf_printf(&m->out, "{\"cancel\":%" PRId64 "}\n", m->id);
    on_writable(m, LOOP_WRITE);
    watch_again(m->timer, CANCEL_MS);
}
