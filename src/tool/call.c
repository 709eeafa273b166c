/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - one call: request out, events and a response in. */
#include "tool/call.h"

#include <string.h>

#include "base/clock.h"
#include "tool/peer.h"
#include "tool/response.h"
#include "json/write.h"

#define REQUEST_MAX (16u << 20) /* bytes of the line that a plugin reads */
#define GRACE_MS    1000        /* past its time, for a tool to end by itself */
#define SURPLUS_MS  200         /* after an answer, for one that does not end */
#define ONLY_ID     1

struct tool_call {
    struct loop *loop;
    struct peer *peer;
    const struct tool *tool;
    const struct manifest_action *action;
    const struct tool_events *ev;
    void *arg;
    struct watch *limit, *surplus;
    int64_t from_ms, limit_ms; /* limit_ms < 0: none */
    int64_t id;
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
    peer_free(c->peer);
    response_done(&c->answer);
    free(c);
}

void
tool_call_signal(struct tool_call *c, int signo)
{
    if (!c->over)
        peer_signal(c->peer, signo);
}

void
tool_call_hold(struct tool_call *c, bool held)
{
    if (!c->over)
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
    peer_hold(c->peer, true);
    peer_refused(c->peer, &refused);
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

static int
check_answer(const struct tool_call *c, const struct response *r, struct err *e)
{
    const struct tool_result *t = &r->result;

    if (r->has_id && r->id != c->id)
        return err_set(e, ERR_PEER, "answered another's request (id %lld)",
                       (long long)r->id);
    if (t->ok && c->action->meta_check &&
        json_schema_check(c->action->meta_check, t->meta, 0, e) < 0) {
        err_wrap(e, "meta");
        return err_wrap(e, "an answer against its schema");
    }
    return 0;
}

/* One line may be the answer; a second one shows that it was none. So its
 * end is awaited, but not for long. */
static int
take_answer(struct tool_call *c, struct response *r, struct err *e)
{
    if (check_answer(c, r, e) < 0)
        return -1;
    c->answer = *r;
    *r = (struct response){0};
    c->has_answer = true;
    watch_free(c->limit);
    c->limit = NULL;
    c->surplus = loop_timer(c->loop, SURPLUS_MS, on_surplus, c, e);
    return c->surplus ? 0 : -1;
}

static int
take_line(struct tool_call *c, const char *line, size_t n, struct err *e)
{
    CLEANUP(response_done) struct response r = {0};

    if (response_parse(line, n, &r, e) < 0)
        return -1;
    if (c->has_answer)
        return err_set(e, ERR_PEER, "went on after its answer");
    if (r.kind == RESPONSE_NEED)
        return err_set(e, ERR_PEER, "needs what its manifest does not name");
    if (r.kind == RESPONSE_ANSWER)
        return take_answer(c, &r, e);
    if (c->ev->output)
        c->ev->output(c->arg, r.stream, r.data, r.data_len);
    return 0;
}

static bool
on_line(void *arg, const char *line, size_t n)
{
    struct err e = {0};

    if (take_line(arg, line, n, &e) == 0)
        return true;
    fail(arg, &e);
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

static void
put_list(struct json_writer *w, const char *name, const char *const *list)
{
    json_key(w, name);
    json_open_array(w);
    for (; list && *list; list++)
        json_put_str(w, *list);
    json_close_array(w);
}

static void
put_args(struct json_writer *w, const struct json *args)
{
    json_key(w, "args");
    if (args) {
        json_put_value(w, args);
        return;
    }
    json_open_object(w);
    json_close_object(w);
}

static void
put_request(const struct tool_call *c, const struct tool_request *rq,
            const struct tool_setting *s, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_int(&w, "id", c->id);
    json_member_str(&w, "tool", c->tool->name);
    json_member_str(&w, "action", rq->action);
    put_args(&w, rq->args);
    if (rq->step_id)
        json_member_str(&w, "step_id", rq->step_id);
    json_member_bool(&w, "stream", rq->stream);
    if (c->limit_ms >= 0)
        json_member_int(&w, "timeout_ms", c->limit_ms);
    json_key(&w, "roots");
    json_open_object(&w);
    put_list(&w, "read", s->read_roots);
    put_list(&w, "write", s->write_roots);
    json_close_object(&w);
    json_close_object(&w);
}

static const struct manifest_action *
find_action(const struct tool *t, const char *name, struct err *e)
{
    for (size_t i = 0; t->manifest && i < t->manifest->n_actions; i++) {
        if (strcmp(t->manifest->actions[i].name, name) == 0)
            return &t->manifest->actions[i];
    }
    err_set(e, ERR_INVALID, "%s has no action '%.64s'", t->name, name);
    return NULL;
}

static int
check_args(const struct tool_call *c, const struct tool_request *rq,
           struct err *e)
{
    CLEANUP(json_free_p) struct json *none = NULL;
    const struct json *args = rq->args;

    if (!args && !(args = none = json_parse("{}", 2, 0, e)))
        return -1;
    if (json_type(args) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "%s: args must be an object",
                       c->tool->name);
    if (!c->action->args_check ||
        json_schema_check(c->action->args_check, args, 0, e) == 0)
        return 0;
    return err_wrap(e, "%s %s: args", c->tool->name, rq->action);
}

/* The least of what the manifest and the request say. */
static int64_t
limit_of(const struct tool *t, const struct tool_request *rq)
{
    int64_t most = t->manifest->needs.time_limit_ms;

    if (most <= 0)
        return rq->timeout_ms;
    return rq->timeout_ms >= 0 && rq->timeout_ms < most ? rq->timeout_ms : most;
}

static int
begin(struct tool_call *c, const struct tool_setting *s,
      const struct tool_request *rq, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REQUEST_MAX);
    CLEANUP(launch_done) struct launch launch = {0};
    struct launched started = {.report = -1};
    const char *const argv[] = {c->tool->program, NULL};

    put_request(c, rq, s, &line);
    if (buf_ok(&line, "the request", e) < 0 ||
        launch_prepare(&launch, argv, s, e) < 0 ||
        launch_start(&launch, &started, e) < 0 ||
        !(c->peer = peer_new(c->loop, &started, e)))
        return -1;
    peer_attend(c->peer, &peer_events, c);
    if (c->limit_ms >= 0 &&
        !(c->limit = loop_timer(c->loop, c->limit_ms + GRACE_MS, on_limit, c,
                                e)))
        return -1;
    return peer_send(c->peer, line.p, line.len, true, e);
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
    *c = (struct tool_call){.loop = l,
                            .tool = t,
                            .ev = ev,
                            .arg = arg,
                            .from_ms = clock_ms(),
                            .id = ONLY_ID};
    if (!(c->action = find_action(t, rq->action, e)) ||
        check_args(c, rq, e) < 0)
        return NULL;
    c->limit_ms = limit_of(t, rq);
    if (begin(c, setting, rq, e) < 0) {
        err_wrap(e, "%s", t->name);
        return NULL;
    }
    return TAKE_PTR(c);
}
