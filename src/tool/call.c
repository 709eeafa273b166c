/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - one call: request out, events and a response in. */
#include "base/clock.h"
#include "tool/call_in.h"
#include "tool/pool.h"
#include "tool/request.h"
#include "tool/trust.h"

#define KEY_MAX (4u << 20) /* words and environment: twice ARG_MAX */

void
tool_call_free(struct tool_call *c)
{
    if (!c)
        return;
    mcp_call_free(c->mcp);
    watch_free(c->limit);
    watch_free(c->surplus);
    need_free(c->need);
    peer_free(c->peer);
    launch_done(&c->launch);
    buf_done(&c->key);
    buf_done(&c->line);
    response_done(&c->answer);
    free(c);
}

void
tool_call_signal(struct tool_call *c, int signo)
{
    if (c->mcp) {
        mcp_call_signal(c->mcp, signo);
        return;
    }
    if (c->over)
        return;
    if (c->need)
        need_signal(c->need, signo);
    peer_signal(c->peer, signo);
}

void
tool_call_hold(struct tool_call *c, bool held)
{
    if (c->mcp) {
        mcp_call_hold(c->mcp, held);
        return;
    }
    c->held = held;
    if (c->over)
        return;
    if (c->need)
        need_hold(c->need, held);
    peer_hold(c->peer, held);
}

static void
stop_timers(struct tool_call *c)
{
    watch_free(c->limit);
    watch_free(c->surplus);
    c->limit = c->surplus = NULL;
}

void
call_fail(struct tool_call *c, struct err *why)
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
void
call_finish(struct tool_call *c)
{
    CLEANUP(response_done) struct response r = c->answer;
    CLEANUP(denials_done) struct denials refused = {0};

    c->answer = (struct response){0};
    c->over = true;
    stop_timers(c);
    peer_refused(c->peer, &refused);
    if (c->key.len > 0)
        pool_give(c->set.pool, TAKE_PTR(c->peer), &c->key,
                  c->tool->manifest->step);
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
    call_fail(c, &why);
}

static bool
on_line(void *arg, const char *line, size_t n)
{
    struct tool_call *c = arg;
    struct err e = {0};

    buf_done(&c->line);
    if (call_take_line(c, line, n, &e) < 0) {
        call_fail(c, &e);
        return false;
    }
    if (!c->has_answer || c->surplus)
        return true;
    call_finish(c);
    return false;
}

static void on_closed(void *arg);
static void on_gone(void *arg, struct err *why);

static const struct peer_events peer_events = {
    .line = on_line, .closed = on_closed, .gone = on_gone};

/* Its process, new. */
static struct peer *
start_peer(struct tool_call *c, struct err *e)
{
    struct launched started = {.report = -1};
    struct zygote_client *spare = c->set.pool ? pool_spare(c->set.pool) : NULL;
    struct peer *p;

    if (trust_check_same(c->tool, e) < 0 ||
        launch_start(&c->launch, spare, &started, e) < 0)
        return NULL;
    p = peer_new(c->loop, &started, e);
    if (p)
        peer_attend(p, &peer_events, c);
    return p;
}

/* One that waited and went just when it was asked: another gets the request.
 * Nothing was done yet where nothing was read. */
static bool
ask_another(struct tool_call *c)
{
    struct peer *p;

    if (c->line.len == 0 || !peer_is_untouched(c->peer))
        return false;
    if (!(p = start_peer(c, NULL)))
        return false;
    peer_free(c->peer);
    c->peer = p;
    return peer_send(p, c->line.p, c->line.len, false, NULL) == 0;
}

static void
on_closed(void *arg)
{
    struct tool_call *c = arg;

    if (c->has_answer && !c->over)
        call_finish(c);
}

static void
on_gone(void *arg, struct err *why)
{
    struct tool_call *c = arg;

    if (c->over)
        return;
    if (c->has_answer && why->code == ERR_NONE) {
        call_finish(c);
        return;
    }
    if (why->code == ERR_NONE) {
        (void)peer_explain(c->peer, why); /* while it is this one */
        if (ask_another(c))
            return;
    }
    call_fail(c, why);
}

/* What it is started with; for one that may stay, without the end of its
 * time, which is a call's (request_limit). */
static int
prepare(struct tool_call *c, const struct tool_setting *s, struct err *e)
{
    struct sandbox_spec walls = *s->sandbox;
    struct tool_setting set = *s;

    set.sandbox = &walls;
    if (!pool_keeps(c->tool, s))
        return launch_prepare_tool(&c->launch, c->tool, &set, e);
    walls.limit_ms = 0;
    if (launch_prepare_tool(&c->launch, c->tool, &set, e) < 0)
        return -1;
    launch_key(&c->launch, c->tool->hash, &c->key);
    return buf_ok(&c->key, "its environment", e);
}

static int
send_request(struct tool_call *c, bool waited, struct err *e)
{
    bool more = c->key.len > 0 || c->tool->manifest->needs.privileged[0];

    if (peer_send(c->peer, c->line.p, c->line.len, !more, e) < 0)
        return -1;
    if (!waited)
        buf_done(&c->line);
    return 0;
}

static int
begin(struct tool_call *c, const struct tool_setting *s,
      const struct tool_request *rq, struct err *e)
{
    bool waited;

    if (prepare(c, s, e) < 0)
        return -1;
    c->id = s->pool ? pool_next_id(s->pool) : 1;
    c->limit_ms = request_limit(c->tool, rq, s);
    request_write(&c->line, c->tool, rq, s, c->id, c->limit_ms);
    if (buf_ok(&c->line, "the request", e) < 0)
        return -1;
    if (s->pool && c->tool->manifest->step)
        pool_end_steps(s->pool, c->key.len > 0 ? &c->key : NULL);
    c->peer = c->key.len > 0 ? pool_take(s->pool, &c->key) : NULL;
    waited = c->peer != NULL;
    if (waited)
        peer_attend(c->peer, &peer_events, c);
    else if (!(c->peer = start_peer(c, e)))
        return -1;
    if (c->limit_ms >= 0 &&
        !(c->limit = loop_timer(c->loop, c->limit_ms + CALL_GRACE_MS, on_limit,
                                c, e)))
        return -1;
    return send_request(c, waited, e);
}

static int
begin_mcp(struct tool_call *c, const struct tool_setting *s,
          const struct tool_request *rq, struct err *e)
{
    struct mcp_idle **waiting = s->pool ? pool_servers(s->pool) : NULL;
    struct zygote_client *spare = s->pool ? pool_spare(s->pool) : NULL;

    c->mcp = mcp_call_start(c->loop, c->tool, rq, s, c->ev, c->arg, waiting,
                            spare, e);
    return c->mcp ? 0 : -1;
}

struct tool_call *
tool_call_start(struct loop *l, const struct tool *t,
                const struct tool_request *rq,
                const struct tool_setting *setting,
                const struct tool_events *ev, void *arg, struct err *e)
{
    CLEANUP(tool_call_free_p) struct tool_call *c = calloc(1, sizeof(*c));

    if (!c) {
        err_set(e, ERR_NOMEM, "%s: out of memory", t->name);
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
        .line = buf_of(REQUEST_LINE_MAX),
        .from_ms = clock_ms(),
        .stream = rq->stream,
    };
    if (!(c->action = request_check(t, rq, e)))
        return NULL;
    if (t->server ? begin_mcp(c, setting, rq, e) < 0
                  : begin(c, setting, rq, e) < 0) {
        err_wrap(e, "%s", t->name);
        return NULL;
    }
    return TAKE_PTR(c);
}
