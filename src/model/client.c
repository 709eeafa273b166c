/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - the front's end of the model process. */
#include "model/client.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/learned.h"
#include "model/link.h"
#include "model/request.h"
#include "model/wants.h"

#define CANCEL_MS 60   /* for the process's own word; then it is killed */
#define SLACK_MS  3000 /* beyond the total limit: the process hangs */

struct model {
    struct loop *loop;
    struct model_choice *choice;
    struct link *link; /* NULL: the process does not run */
    struct watch *timer;
    int64_t id; /* of the last question */
    bool asking, cancelled;
    struct buf text; /* of the answer so far */
    struct wants wanted;
    struct model_events ev;
    void *arg;
    struct err why; /* what the process said about its own end */
};

static void on_line(void *arg, const char *line, size_t n);
static void on_gone(void *arg, int status);
static void on_timer(void *arg, unsigned events);

static void
stop(struct model *m)
{
    link_free(m->link);
    m->link = NULL;
}

static int
start(struct model *m, struct err *e)
{
    static const struct link_events events = {on_line, on_gone};

    m->why = (struct err){0};
    m->link = link_start(m->loop, &events, m, e);
    return m->link ? 0 : -1;
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
    stop(m);
    watch_free(m->timer);
    model_choice_free(m->choice);
    buf_done(&m->text);
    wants_done(&m->wanted);
    free(m);
}

/* The caller's callbacks come last: they may ask again, or free us. */
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

/* The calls, and whether all of them came. */
static bool
view_wanted(const struct wants *w, const struct json *v,
            struct model_wanted *calls, struct model_answer *a)
{
    int64_t n = -1;

    for (size_t i = 0; i < w->n && i < MODEL_WANTED_MAX; i++)
        calls[i] = want_view(&w->rows[i]);
    a->wanted = calls;
    a->n_wanted = w->n;
    return json_int(json_get(v, "wanted"), &n) && n == (int64_t)w->n &&
           n <= MODEL_WANTED_MAX;
}

static void
on_answer(struct model *m, const struct json *v)
{
    CLEANUP_BUF struct buf text = m->text;
    CLEANUP(wants_done) struct wants wanted = m->wanted;
    struct model_wanted calls[MODEL_WANTED_MAX];
    struct model_answer a = {.text = text.p,
                             .len = text.len,
                             .model = json_get_str(v, "model"),
                             .tokens_in = -1,
                             .tokens_out = -1};
    bool all = view_wanted(&wanted, v, calls, &a);
    int64_t bytes = -1;

    buf_init(&m->text, MODEL_ANSWER_MAX);
    m->wanted = (struct wants){0};
    (void)json_int(json_get(v, "bytes"), &bytes);
    (void)json_int(json_get(v, "tokens_in"), &a.tokens_in);
    (void)json_int(json_get(v, "tokens_out"), &a.tokens_out);
    (void)json_int(json_get(v, "ms"), &a.ms);
    if (!all || text.bad || bytes != (int64_t)text.len) {
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
    int64_t code, kind, id = 0;

    if (!json_int(json_get(v, "code"), &code) || code <= 0 || code >= ERR_N)
        code = ERR_MODEL;
    if (!json_int(json_get(v, "kind"), &kind) || kind < 0 || kind >= ERR_KIND_N)
        kind = ERR_KIND_NONE;
    err_set_kind(&e, (enum err_code)code, (enum err_kind)kind, "%s",
                 text ? text : "no reason given");
    if (json_int(json_get(v, "id"), &id) && id == 0) {
        m->why = e; /* it ends now */
        return;
    }
    if (m->cancelled)
        err_set(&e, ERR_INTERRUPTED, "interrupted");
    fail(m, &e);
}

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
on_wanted(struct model *m, const struct json *v)
{
    struct model_wanted c;

    if (ask_read_wanted(json_get(v, "call"), &c) == 0)
        (void)wants_keep(&m->wanted, &c);
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
    {"learned", on_learned}, {"wanted", on_wanted},     {"answer", on_answer},
    {"failed", on_failed},
};

/* Events of an older question are late, and dropped; id 0 is the process's
 * own, when it cannot work at all. */
static void
on_line(void *arg, const char *line, size_t n)
{
    struct model *m = arg;
    CLEANUP(json_free_p) struct json *v = json_parse(line, n, 0, NULL);
    const char *name = json_get_str(v, "event");
    int64_t id = -1;

    if (!name || !json_int(json_get(v, "id"), &id) ||
        (id != 0 && (id != m->id || !m->asking)))
        return;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            rows[i].take(m, v);
            return;
        }
    }
}

/* Between questions that is no failure: the next one starts another. */
static void
on_gone(void *arg, int status)
{
    struct model *m = arg;
    char text[128];

    stop(m);
    if (!m->asking)
        return;
    if (m->cancelled) {
        fail_stopped(m, ERR_INTERRUPTED, "interrupted");
        return;
    }
    if (m->why.code != ERR_NONE) {
        fail_stopped(m, m->why.code, m->why.text);
        return;
    }
    snprintf(text, sizeof(text),
             "the model process ended (status %d) before it answered. To do: "
             "try again, or use --offline",
             status);
    fail_stopped(m, ERR_MODEL, text);
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
                     "the model process does not respond. To do: try again");
}

static int
send_question(struct model *m, const struct model_request *r, struct err *e)
{
    CLEANUP(model_call_done) struct model_call mc;
    CLEANUP_BUF struct buf line = buf_of_secret(ASK_LINE_MAX);
    struct ask a = {
        .id = m->id + 1, .key = m->choice->key, .limits = m->choice->limits};

    if (model_call_init(&mc, m->choice, r, e) < 0)
        return -1;
    a.call = mc.call;
    if (ask_write(&a, &line, e) < 0)
        return -1;
    return link_send(m->link, &line, e);
}

int
model_ask(struct model *m, const struct model_request *r,
          const struct model_events *ev, void *arg, struct err *e)
{
    if (m->asking)
        return err_set(e, ERR_INVALID, "a request is still running");
    if (!m->link && start(m, e) < 0)
        return -1;
    m->timer = loop_timer(m->loop, m->choice->limits.total_ms + SLACK_MS,
                          on_timer, m, e);
    if (!m->timer || send_question(m, r, e) < 0) {
        end_question(m);
        return -1;
    }
    buf_clear(&m->text);
    wants_done(&m->wanted);
    m->id++;
    m->asking = true;
    m->ev = *ev;
    m->arg = arg;
    return 0;
}

void
model_cancel(struct model *m)
{
    CLEANUP_BUF struct buf line = buf_of(64);

    if (!m->asking || m->cancelled)
        return;
    m->cancelled = true;
    buf_printf(&line, "{\"cancel\":%" PRId64 "}\n", m->id);
    if (m->link)
        (void)link_send(m->link, &line, NULL);
    watch_again(m->timer, CANCEL_MS);
}
