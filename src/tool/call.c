/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - one call: request out, events and a response in. */
#include "tool/call.h"

#include "base/clock.h"
#include "tool/need.h"
#include "tool/peer.h"
#include "tool/pool.h"
#include "tool/request.h"
#include "tool/response.h"

#define GRACE_MS   1000       /* past its time, for a tool to end by itself */
#define SURPLUS_MS 200        /* after an answer, for one that does not end */
#define KEY_MAX    (4u << 20) /* words and environment: twice ARG_MAX */

struct tool_call {
    struct loop *loop;
    struct peer *peer;
    struct need *need; /* what it waits for; NULL: nothing */
    const struct tool *tool;
    const struct manifest_action *action;
    struct tool_setting set; /* without what is borrowed for the start */
    const struct tool_events *ev;
    void *arg;
    struct watch *limit, *surplus;
    struct buf key;            /* to wait in the pool by; "": it does not */
    int64_t from_ms, limit_ms; /* limit_ms < 0: none */
    int64_t id;
    bool stream, held;
    struct response answer; /* when it has one: told when its output ends */
    bool has_answer;
    bool over; /* done or failed was called */
};

void
tool_call_free(struct tool_call *c)
{
    if (!c)
        return;
    watch_free(c->limit);
    watch_free(c->surplus);
    need_free(c->need);
    peer_free(c->peer);
    buf_done(&c->key);
    response_done(&c->answer);
    free(c);
}

void
tool_call_signal(struct tool_call *c, int signo)
{
    if (c->over)
        return;
    if (c->need)
        need_signal(c->need, signo);
    peer_signal(c->peer, signo);
}

void
tool_call_hold(struct tool_call *c, bool held)
{
    c->held = held;
    if (c->over)
        return;
    if (c->need)
        need_hold(c->need, held);
    peer_hold(c->peer, held);
}

/* ---- its end */

static void
stop_timers(struct tool_call *c)
{
    watch_free(c->limit);
    watch_free(c->surplus);
    c->limit = c->surplus = NULL;
}

static void
fail(struct tool_call *c, struct err *why)
{
    if (c->over)
        return;
    c->over = true;
    stop_timers(c);
    peer_hold(c->peer, true);
    err_wrap(why, "%s", c->tool->name);
    c->ev->failed(c->arg, why);
}

/* The texts live on in here while the caller, told, frees the call. */
static void
finish(struct tool_call *c)
{
    CLEANUP(response_done) struct response r = c->answer;
    CLEANUP(refused_done) struct refused refused = {0};

    c->answer = (struct response){0};
    c->over = true;
    stop_timers(c);
    peer_refused(c->peer, &refused);
    if (c->key.len > 0)
        pool_give(c->set.pool, TAKE_PTR(c->peer), &c->key);
    else
        peer_hold(c->peer, true);
    r.result.refused = &refused;
    if (!r.has_duration)
        r.result.duration_ms = clock_ms() - c->from_ms;
    c->ev->done(c->arg, &r.result);
}

static void
on_limit(void *arg, unsigned events)
{
    struct tool_call *c = arg;
    struct err why = {0};

    (void)events;
    err_set(&why, ERR_TIMEOUT, "no answer within %lld ms",
            (long long)c->limit_ms);
    fail(c, &why);
}

static void
on_surplus(void *arg, unsigned events)
{
    (void)events;
    finish(arg);
}

/* ---- what it says */

static const char surplus[] = "went on after its answer";

static int
check_answer(const struct tool_call *c, const struct response *r, struct err *e)
{
    const struct tool_result *t = &r->result;

    if (c->need)
        return err_set(e, ERR_PEER,
                       "answered while it waits for what it "
                       "needs");
    if (r->has_id && r->id != c->id)
        return err_set(e, ERR_PEER, "answered another's request (id %lld)",
                       (long long)r->id);
    if (!r->has_id && c->key.len > 0)
        return err_set(e, ERR_PEER, "answered without the request's id");
    if (t->ok && c->action->meta_check &&
        json_schema_check(c->action->meta_check, t->meta, 0, e) < 0) {
        e->code = ERR_PEER;
        return err_wrap(e, "meta");
    }
    return 0;
}

/* One line may be the answer; a second one shows that it was none. Where the
 * process ends with the call its end is awaited, but not for long; where it
 * stays, what it says next makes it go (pool.h). */
static int
take_answer(struct tool_call *c, struct response *r, struct err *e)
{
    if (check_answer(c, r, e) < 0)
        return -1;
    c->answer = *r;
    *r = (struct response){0};
    c->has_answer = true;
    if (c->key.len > 0)
        return peer_is_quiet(c->peer) ? 0 : err_set(e, ERR_PEER, "%s", surplus);
    watch_free(c->limit);
    c->limit = NULL;
    peer_end_input(c->peer);
    c->surplus = loop_timer(c->loop, SURPLUS_MS, on_surplus, c, e);
    return c->surplus ? 0 : -1;
}

static void
on_need_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct tool_call *c = arg;

    if (c->ev->output)
        c->ev->output(c->arg, stream, bytes, n);
}

static void
on_need_done(void *arg, const char *line, size_t n)
{
    struct tool_call *c = arg;
    struct err e = {0};
    int rc = peer_send(c->peer, line, n, false, &e);

    need_free(c->need);
    c->need = NULL;
    if (rc < 0)
        fail(c, &e);
}

static int
take_need(struct tool_call *c, const struct response *r, struct err *e)
{
    static const struct need_events events = {.output = on_need_output,
                                              .done = on_need_done};

    if (c->need)
        return err_set(e, ERR_PEER, "needs two things at a time");
    c->need = need_start(c->loop, c->tool, r->argv, &c->set, c->stream, &events,
                         c, e);
    if (c->need && c->held)
        need_hold(c->need, true);
    return c->need ? 0 : -1;
}

static int
take_output(const struct tool_call *c, const struct response *r, struct err *e)
{
    if (!c->stream)
        return err_set(e, ERR_PEER, "an output event that was not asked for");
    if (c->ev->output)
        c->ev->output(c->arg, r->stream, r->data, r->data_len);
    return 0;
}

static int
take_line(struct tool_call *c, const char *line, size_t n, struct err *e)
{
    CLEANUP(response_done) struct response r = {0};

    if (c->has_answer)
        return err_set(e, ERR_PEER, "%s", surplus);
    if (response_parse(line, n, &r, e) < 0)
        return -1;
    switch (r.kind) {
    case RESPONSE_OUTPUT:
        return take_output(c, &r, e);
    case RESPONSE_NEED:
        return take_need(c, &r, e);
    default:
        return take_answer(c, &r, e);
    }
}

static bool
on_line(void *arg, const char *line, size_t n)
{
    struct tool_call *c = arg;
    struct err e = {0};

    if (take_line(c, line, n, &e) < 0) {
        fail(c, &e);
        return false;
    }
    if (!c->has_answer || c->surplus)
        return true;
    finish(c);
    return false;
}

static void
on_closed(void *arg)
{
    struct tool_call *c = arg;

    if (c->has_answer && !c->over)
        finish(c);
}

static void
on_gone(void *arg, struct err *why)
{
    struct tool_call *c = arg;

    if (c->over)
        return;
    if (c->has_answer && why->code == ERR_NONE) {
        finish(c);
        return;
    }
    if (why->code == ERR_NONE)
        (void)peer_explain(c->peer, why);
    fail(c, why);
}

static const struct peer_events peer_events = {
    .line = on_line, .closed = on_closed, .gone = on_gone};

/* ---- its beginning */

/* One that waits in these walls, or a new one. */
static struct peer *
find_peer(struct tool_call *c, const struct tool_setting *s, struct err *e)
{
    const char *const argv[] = {c->tool->program, NULL};
    CLEANUP(launch_done) struct launch launch = {0};
    struct launched started = {.report = -1};
    struct sandbox_spec walls = *s->sandbox;
    struct tool_setting set = *s;
    struct peer *p;

    set.sandbox = &walls;
    if (pool_keeps(c->tool, s))
        walls.limit_ms = 0; /* it is a call's: request_limit */
    if (launch_prepare(&launch, argv, &set, e) < 0)
        return NULL;
    if (pool_keeps(c->tool, s)) {
        launch_key(&launch, c->tool->hash, &c->key);
        if (buf_ok(&c->key, "its environment", e) < 0)
            return NULL;
        if ((p = pool_take(s->pool, &c->key)))
            return p;
    }
    if (launch_start(&launch, false, &started, e) < 0)
        return NULL;
    return peer_new(c->loop, &started, e);
}

static int
begin(struct tool_call *c, const struct tool_setting *s,
      const struct tool_request *rq, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REQUEST_LINE_MAX);
    bool more; /* lines for it may follow */

    if (!(c->peer = find_peer(c, s, e)))
        return -1;
    c->id = peer_next_id(c->peer);
    c->limit_ms = request_limit(c->tool, rq, s);
    request_write(&line, c->tool, rq, s, c->id, c->limit_ms);
    if (buf_ok(&line, "the request", e) < 0)
        return -1;
    peer_attend(c->peer, &peer_events, c);
    if (c->limit_ms >= 0 &&
        !(c->limit = loop_timer(c->loop, c->limit_ms + GRACE_MS, on_limit, c,
                                e)))
        return -1;
    more = c->key.len > 0 || c->tool->manifest->needs.privileged[0];
    return peer_send(c->peer, line.p, line.len, !more, e);
}

struct tool_call *
tool_call_start(struct loop *l, const struct tool *t,
                const struct tool_request *rq,
                const struct tool_setting *setting,
                const struct tool_events *ev, void *arg, struct err *e)
{
    CLEANUP(tool_call_free_p) struct tool_call *c = calloc(1, sizeof(*c));

    if (!c) {
        err_set(e, ERR_NOMEM, "%s: no memory", t->name);
        return NULL;
    }
    *c = (struct tool_call){
        .loop = l,
        .tool = t,
        .set = {.config = setting->config,
                .pool = setting->pool,
                .colour = setting->colour,
                .privileged = setting->privileged},
        .ev = ev,
        .arg = arg,
        .key = buf_of(KEY_MAX),
        .from_ms = clock_ms(),
        .stream = rq->stream,
    };
    if (!(c->action = request_check(t, rq, e)))
        return NULL;
    if (begin(c, setting, rq, e) < 0) {
        err_wrap(e, "%s", t->name);
        return NULL;
    }
    return TAKE_PTR(c);
}
