/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - makes one call of a tool: sends the request, takes its events and
 * response. */
#include "tool/call.h"

#include <limits.h>

#include "base/clock.h"
#include "tool/call_queue.h"
#include "tool/elevate.h"
#include "tool/mcp/mcp_call.h"
#include "tool/peer_files.h"
#include "tool/plugin_process.h"
#include "tool/pool.h"
#include "tool/protocol.h"
#include "tool/trust.h"

#define SURPLUS_MS    200  /* after an answer, for the process to end */
#define CALL_GRACE_MS 1000 /* past its limit, for the tool to end itself */

#define LONG_REQUEST (64u << 10) /* bytes that are not copied on the loop */

static const char surplus[] = "continued after its response";

struct tool_call {
    struct loop *loop;
    /* who answers in place of a plugin; NULL: not this. With either the rest is
     * unused */
    struct mcp_call *mcp;
    struct peer_call *peer;
    struct plugin_process *process; /* NULL: not its turn yet, or over */
    struct queued_call *place;      /* NULL: the process is its own */
    struct elevate *elevation; /* the request that it waits for; NULL: none */
    const struct tool *tool;
    const struct manifest_action *action;
    struct tool_setting set; /* without what was borrowed until the start */
    const struct tool_events *ev;
    void *arg;
    struct watch *limit, *surplus;
    struct spawn_plan *launch;
    bool stays;      /* its process goes there */
    struct buf line; /* the request, while it may have to be sent again */
    int64_t from_ms, limit_ms; /* limit_ms < 0: none */
    int64_t id;
    bool stream, paused;
    /* valid if has_answer; delivered when its output ends */
    struct protocol_message answer;
    bool has_answer;
    bool over; /* done or failed was called */
};

/* From now on its process, if it has one, is its own. */
static void
leave_queue(struct tool_call *c)
{
    if (c->place)
        c->process = call_queue_leave(TAKE_PTR(c->place));
}

void
tool_call_free(struct tool_call *c)
{
    if (!c)
        return;
    leave_queue(c);
    mcp_call_free(c->mcp);
    peer_call_free(c->peer);
    watch_free(c->limit);
    watch_free(c->surplus);
    elevate_free(c->elevation);
    plugin_process_free(c->process);
    spawn_plan_free(c->launch);
    buf_done(&c->line);
    protocol_message_done(&c->answer);
    free(c);
}

int64_t
tool_call_limit(const struct tool_call *c)
{
    return c->limit_ms;
}

void
tool_call_signal(struct tool_call *c, int signo)
{
    if (c->mcp) {
        mcp_call_signal(c->mcp, signo);
        return;
    }
    if (c->over || c->peer)
        return;
    if (c->elevation)
        elevate_signal(c->elevation, signo);
    if (c->process)
        plugin_process_signal(c->process, signo);
}

void
tool_call_pause(struct tool_call *c, bool paused)
{
    if (c->mcp) {
        mcp_call_hold(c->mcp, paused);
        return;
    }
    c->paused = paused;
    if (c->over || c->peer)
        return;
    if (c->elevation)
        elevate_pause(c->elevation, paused);
    if (c->process)
        plugin_process_pause(c->process, paused);
}

static void
stop_timers(struct tool_call *c)
{
    watch_free(c->limit);
    watch_free(c->surplus);
    c->limit = c->surplus = NULL;
}

/* The call ends by this or by finish_call, once. The callback may free it. */
static void
fail_tool_call(struct tool_call *c, struct err *why)
{
    if (c->over)
        return;
    c->over = true;
    stop_timers(c);
    leave_queue(c);
    if (c->process)
        plugin_process_pause(c->process, true);
    err_wrap(why, "%s", c->tool->name);
    c->ev->failed(c->arg, why);
}

/* The process is done with the call. */
static void
release_process(struct tool_call *c)
{
    if (c->place)
        call_queue_answered(TAKE_PTR(c->place));
    else if (c->stays)
        pool_give(c->set.pool, c->process, c->launch, c->tool->manifest->step);
    else
        plugin_process_pause(c->process, true);
    if (c->stays)
        c->process = NULL;
}

/* The texts stay valid in here while the callback frees the call. */
static void
finish_tool_call(struct tool_call *c)
{
    CLEANUP(protocol_message_done) struct protocol_message r = c->answer;
    CLEANUP(denials_done) struct denials refused = {0};

    c->answer = (struct protocol_message){0};
    c->over = true;
    stop_timers(c);
    plugin_process_read_denials(c->process, &refused);
    release_process(c);
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
    fail_tool_call(c, &why);
}

static void
on_surplus(void *arg, unsigned events)
{
    struct tool_call *c = arg;
    struct err why = {0};

    (void)events;
    if (!plugin_process_has_more(c->process)) {
        finish_tool_call(c);
        return;
    }
    err_set(&why, ERR_PEER, "%s", surplus);
    fail_tool_call(c, &why);
}

static int
check_response(const struct tool_call *c, const struct protocol_message *r,
               struct err *e)
{
    const struct tool_result *t = &r->result;

    if (c->elevation)
        return err_set(
            e, ERR_PEER,
            "responded while waiting for a command that it requested");
    if (r->has_id && r->id != c->id)
        return err_set(e, ERR_PEER, "responded to another request (id %lld)",
                       (long long)r->id);
    if (!r->has_id && c->stays)
        return err_set(e, ERR_PEER, "responded without the request's id");
    if (t->ok && c->action->meta_check &&
        json_schema_check(c->action->meta_check, t->meta, 0, e) < 0) {
        e->code = ERR_PEER;
        return err_wrap(e, "meta");
    }
    return 0;
}

/* One line is the response; a second one is an error. Where the process ends
 * with the call, its end is awaited for a short time. Where it stays, pool.c
 * ends it if it writes more. */
static int
take_response(struct tool_call *c, struct protocol_message *r, struct err *e)
{
    if (check_response(c, r, e) < 0)
        return -1;
    c->answer = *r;
    *r = (struct protocol_message){0};
    c->has_answer = true;
    if (c->place && call_queue_has_next(c->place))
        return 0; /* what comes is the next one's */
    if (c->stays)
        return plugin_process_has_more(c->process)
                   ? err_set(e, ERR_PEER, "%s", surplus)
                   : 0;
    watch_free(c->limit);
    c->limit = NULL;
    plugin_process_end_input(c->process);
    c->surplus = loop_timer(c->loop, SURPLUS_MS, on_surplus, c, e);
    return c->surplus ? 0 : -1;
}

static void
on_elevate_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct tool_call *c = arg;

    if (c->ev->output)
        c->ev->output(c->arg, stream, bytes, n);
}

static void
on_elevate_done(void *arg, const char *line, size_t n)
{
    struct tool_call *c = arg;
    struct err e = {0};
    int rc = plugin_process_send(c->process, line, n, false, &e);

    elevate_free(c->elevation);
    c->elevation = NULL;
    if (rc < 0)
        fail_tool_call(c, &e);
}

static enum tool_elevation
on_elevate_ask(void *arg, const char *const *argv)
{
    const struct tool_call *c = arg;

    return c->ev->elevate ? c->ev->elevate(c->arg, argv) : TOOL_ELEVATE_NO;
}

/* While a person is asked, the time limit stands still. */
static void
pause_limit(struct tool_call *c, bool stop)
{
    if (!c->limit)
        return;
    if (stop)
        watch_stop(c->limit);
    else
        watch_again(c->limit, c->limit_ms + CALL_GRACE_MS);
}

static int
on_elevate_request(struct tool_call *c, const struct protocol_message *r,
                   struct err *e)
{
    static const struct elevate_events events = {.ask = on_elevate_ask,
                                                 .output = on_elevate_output,
                                                 .done = on_elevate_done};

    if (c->elevation)
        return err_set(e, ERR_PEER, "requested two commands at a time");
    c->elevation = elevate_start(c->loop, c->tool, r->argv, &c->set, c->stream,
                                 &events, c, e);
    if (c->elevation && c->paused)
        elevate_pause(c->elevation, true);
    if (c->elevation && elevate_is_waiting(c->elevation))
        pause_limit(c, true);
    return c->elevation ? 0 : -1;
}

static int
deliver_output(const struct tool_call *c, const struct protocol_message *r,
               struct err *e)
{
    if (!c->stream)
        return err_set(e, ERR_PEER, "an unrequested output event");
    if (c->ev->output)
        c->ev->output(c->arg, r->stream, r->data, r->data_len);
    return 0;
}

/* Takes a line of the plugin. -1: e says what is wrong with it. */
static int
take_plugin_line(struct tool_call *c, const char *line, size_t n, struct err *e)
{
    CLEANUP(protocol_message_done) struct protocol_message r = {0};

    if (c->has_answer)
        return err_set(e, ERR_PEER, "%s", surplus);
    if (protocol_parse(line, n, &r, e) < 0)
        return -1;
    /* its output would appear below the question */
    if (c->elevation && elevate_is_waiting(c->elevation))
        return err_set(e, ERR_PEER, "continued while you were asked");
    switch (r.kind) {
    case PROTOCOL_OUTPUT:
        return deliver_output(c, &r, e);
    case PROTOCOL_ELEVATE:
        return on_elevate_request(c, &r, e);
    default:
        return take_response(c, &r, e);
    }
}

static bool
on_line(void *arg, const char *line, size_t n)
{
    struct tool_call *c = arg;
    struct err e = {0};
    bool next;

    if (!c->place)
        buf_done(&c->line);
    if (take_plugin_line(c, line, n, &e) < 0) {
        fail_tool_call(c, &e);
        return false;
    }
    if (!c->has_answer || c->surplus)
        return true;
    next = c->place && call_queue_has_next(c->place);
    finish_tool_call(c);
    return next;
}

static void
on_closed(void *arg)
{
    struct tool_call *c = arg;

    if (c->has_answer && !c->over)
        finish_tool_call(c);
}

static void on_gone(void *arg, struct err *why);

static const struct plugin_process_events process_events = {
    .line = on_line, .closed = on_closed, .gone = on_gone};

/* Starts a new process for the call. */
static struct plugin_process *
start_tool_process(struct tool_call *c, struct err *e)
{
    struct spawned started = {.report = -1};
    struct zygote_client *zygote = c->set.pool ? pool_zygote(c->set.pool)
                                               : NULL;
    struct plugin_process *p;

    if (trust_check_unchanged(c->tool, e) < 0 ||
        spawn_start(&c->launch->is, zygote, &started, e) < 0)
        return NULL;
    p = plugin_process_new(c->loop, &started, e);
    if (p)
        plugin_process_set_events(p, &process_events, c);
    if (p && !c->tool->manifest->step)
        plugin_process_set_later(p);
    return p;
}

/* A process from the pool ended just as it got the request. If it read nothing,
 * a new process gets the request. */
static bool
restart_process(struct tool_call *c)
{
    struct plugin_process *p;

    if (c->line.len == 0 || !plugin_process_is_untouched(c->process))
        return false;
    if (!(p = start_tool_process(c, NULL)))
        return false;
    plugin_process_free(c->process);
    c->process = p;
    return plugin_process_send(p, c->line.p, c->line.len, false, NULL) == 0;
}

/* Calls that read can be made again. */
static bool
restart_queue(struct tool_call *c)
{
    if (!call_queue_again(c->place))
        return false;
    c->process = NULL;
    return true;
}

static void
on_gone(void *arg, struct err *why)
{
    struct tool_call *c = arg;

    if (c->over)
        return;
    if (c->has_answer && why->code == ERR_NONE) {
        finish_tool_call(c);
        return;
    }
    if (why->code == ERR_NONE) {
        /* before c->process is another one */
        (void)plugin_process_explain(c->process, why);
        if (c->place ? restart_queue(c) : restart_process(c))
            return;
    }
    fail_tool_call(c, why);
}

/* Prepares the start. For a process that may stay, the time limit is left out
 * of the key, for it belongs to a call. */
static int
prepare_spawn(struct tool_call *c, const struct tool_setting *s, struct err *e)
{
    struct sandbox_spec spec = *s->sandbox;
    struct tool_setting set = *s;

    c->stays = pool_may_keep(c->tool, s);
    if (s->plan && *s->plan) {
        c->launch = spawn_plan_share(*s->plan);
        return 0;
    }
    set.sandbox = &spec;
    if (c->stays)
        spec.limit_ms = 0;
    if (!(c->launch = spawn_plan_new(c->tool, &set, c->stays, e)))
        return -1;
    if (s->plan)
        *s->plan = spawn_plan_share(c->launch);
    return 0;
}

static int
send_tool_request(struct tool_call *c, bool waited, struct err *e)
{
    bool more = c->stays || c->tool->manifest->needs.privileged[0];

    if (!waited)
        return plugin_process_take(c->process, &c->line, !more, e);
    return plugin_process_send(c->process, c->line.p, c->line.len, !more, e);
}

static void
on_turn(void *arg, struct plugin_process *p)
{
    struct tool_call *c = arg;

    c->process = p;
    plugin_process_set_events(p, &process_events, c);
    plugin_process_pause(p, c->paused);
    if (c->limit)
        watch_again(c->limit, c->limit_ms + CALL_GRACE_MS);
}

static struct plugin_process *
on_start(void *arg, struct err *e)
{
    return start_tool_process(arg, e);
}

static void
on_lost(void *arg, struct err *why)
{
    struct tool_call *c = arg;

    c->place = NULL;
    fail_tool_call(c, why);
}

static const struct queued_call_events queue_events = {
    .turn = on_turn, .start = on_start, .lost = on_lost};

/* Whether it may wait behind another call, and be made again. */
static bool
may_be_queued(const struct tool_call *c, const struct tool_request *rq)
{
    return rq->queued && c->line.len < LONG_REQUEST && c->stays &&
           c->action->read_only && !rq->stream && !c->tool->manifest->step &&
           !c->tool->manifest->needs.privileged[0];
}

/* Takes a place behind other calls. False: there is none. */
static bool
join_queue(struct tool_call *c)
{
    c->place = call_queue_join(c->set.pool, c->launch, &c->line, &queue_events,
                               c);
    if (c->place && c->limit)
        watch_stop(c->limit);
    return c->place;
}

static int
begin_plugin(struct tool_call *c, const struct tool_setting *s,
             const struct tool_request *rq, struct err *e)
{
    bool waited, queued;

    if (prepare_spawn(c, s, e) < 0)
        return -1;
    c->id = s->pool ? pool_next_id(s->pool) : 1;
    if (rq->begun && rq->begun->len > 0) {
        buf_done(&c->line);
        c->line = *rq->begun;
        buf_init(rq->begun, 0);
    }
    protocol_write_request(&c->line, c->tool, rq, s, c->id, c->limit_ms);
    if (buf_ok(&c->line, "the request", e) < 0)
        return -1;
    if (c->limit_ms >= 0 &&
        !(c->limit = loop_timer(c->loop, c->limit_ms + CALL_GRACE_MS, on_limit,
                                c, e)))
        return -1;
    queued = may_be_queued(c, rq);
    if (queued && join_queue(c))
        return 0;
    if (s->pool && c->tool->manifest->step)
        pool_end_steps(s->pool, c->stays ? c->launch : NULL);
    /* one that waits may end, and then a copy would be needed */
    c->process = c->stays && c->line.len < LONG_REQUEST
                     ? pool_take(s->pool, c->launch)
                     : NULL;
    waited = c->process != NULL;
    if (waited)
        plugin_process_set_events(c->process, &process_events, c);
    else if (!(c->process = start_tool_process(c, e)))
        return -1;
    if (send_tool_request(c, waited || queued, e) < 0)
        return -1;
    /* without memory for a queue it has the process for itself */
    if (queued)
        c->place = call_queue_new(c->loop, s->pool, c->process, !waited,
                                  c->launch, &c->line, &queue_events, c, NULL);
    return 0;
}

static int
begin_mcp(struct tool_call *c, const struct tool_setting *s,
          const struct tool_request *rq, struct err *e)
{
    struct mcp_pool **waiting = s->pool ? pool_mcp(s->pool) : NULL;
    struct zygote_client *zygote = s->pool ? pool_zygote(s->pool) : NULL;

    c->mcp = mcp_call_start(c->loop, c->tool, rq, s, c->ev, c->arg, waiting,
                            zygote, e);
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
        .set = {.seat = setting->seat,
                .config = setting->config,
                .pool = setting->pool,
                .colour = setting->colour,
                .privileged = setting->privileged,
                .sudo = setting->sudo},
        .ev = ev,
        .arg = arg,
        .line = buf_of(PROTOCOL_REQUEST_MAX),
        .from_ms = clock_ms(),
        .stream = rq->stream,
    };
    if (!(c->action = protocol_check_request(t, rq, e)))
        return NULL;
    c->limit_ms = protocol_time_limit(t, rq, setting);
    if (t->server ? begin_mcp(c, setting, rq, e) < 0
                  : begin_plugin(c, setting, rq, e) < 0) {
        err_wrap(e, "%s", t->name);
        return NULL;
    }
    return TAKE_PTR(c);
}

void
tool_call_elevate(struct tool_call *c, bool yes)
{
    struct err e = {0};

    if (c->over || !c->elevation || !elevate_is_waiting(c->elevation))
        return;
    pause_limit(c, false);
    if (elevate_answer(c->elevation, yes, &e) < 0)
        fail_tool_call(c, &e);
}

/* A call that a peer answers: its files are its own. */
static struct tool_call *
start_peer_call(struct loop *l, const struct tool_invocation *in,
                const struct tool_request *rq, const struct tool_events *ev,
                void *arg, struct err *e)
{
    CLEANUP(tool_call_free_p) struct tool_call *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->loop = l;
    c->tool = in->confine.tool;
    c->limit_ms = -1;
    if (!protocol_check_request(c->tool, rq, e) ||
        !(c->peer = peer_call_start(in->files, in->confine.seat, c->tool, rq,
                                    ev, arg, e)))
        return NULL;
    return TAKE_PTR(c);
}

static int
check_permit(const struct tool_invocation *in, const struct tool_request *rq,
             struct permit *out, struct err *e)
{
    if (permit_judge(in->policy, in->confine.tool, rq->action, rq->args,
                     in->where, out, e) < 0)
        return -1;
    if (out->decision > in->accept)
        return err_set(e, ERR_DENIED, "%s: %s", out->rule, out->reason);
    return 0;
}

struct tool_call *
tool_invoke(struct loop *l, const struct tool_invocation *in,
            const struct tool_request *rq, const struct tool_events *ev,
            void *arg, struct err *e)
{
    CLEANUP(permit_done) struct permit judged = {0};
    CLEANUP(confinement_done) struct confinement c = {0};
    struct confinement_params how = in->confine;
    char workspace[PATH_MAX];

    if (!how.permit && in->policy) {
        if (check_permit(in, rq, &judged, e) < 0)
            return NULL;
        how.permit = &judged;
    }
    if (peer_call_takes(in->files, how.seat, how.tool, rq))
        return start_peer_call(l, in, rq, ev, arg, e);
    if (in->where)
        how.workspace = guard_workspace(in->where, workspace);
    if (in->cache && confinement_cache_use(in->cache, &how, e) < 0)
        return NULL;
    if (confinement_fill(&how, &c, e) < 0)
        return NULL;
    return tool_call_start(l, how.tool, rq, &c.setting, ev, arg, e);
}
