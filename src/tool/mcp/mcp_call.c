/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_call.c - makes a call of an MCP server's tool. */
#include "tool/mcp/mcp_call.h"

#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "tool/mcp/mcp_hash.h"
#include "tool/mcp/mcp_result.h"
#include "tool/mcp/mcp_spawn.h"
#include "tool/mcp/mcp_tools.h"
#include "tool/protocol.h"

#define LOG_MAX        (64u << 10) /* bytes of what it logs meanwhile */
#define LINE_MAX_BYTES 4096
#define CANCEL_MS      300 /* after a cancel, for a server to clean up */

struct mcp_call {
    struct loop *loop;
    const struct tool *tool;
    const struct tool_events *ev;
    void *arg;
    struct mcp_session *session;
    struct mcp_pool **waiting; /* where the server goes; NULL: it ends */
    struct spawn launch;
    char *workspace;
    struct buf key, args, log;
    struct mcp_tools list;
    struct watch *limit;
    int64_t from_ms, limit_ms;
    bool listing; /* its tools are listed first, before the call */
    bool waited;  /* the server came from the pool, and has written nothing */
    bool expired; /* its time is over, and the call was cancelled */
    bool stream, paused, over;
};

void
mcp_call_free(struct mcp_call *c)
{
    if (!c)
        return;
    if (!c->over && c->session)
        mcp_session_cancel(c->session, "the call was cancelled");
    watch_free(c->limit);
    mcp_session_free(c->session);
    mcp_tools_done(&c->list);
    spawn_done(&c->launch);
    buf_done(&c->key);
    buf_done(&c->args);
    buf_done(&c->log);
    free(c->workspace);
    free(c);
}

void
mcp_call_signal(struct mcp_call *c, int signo)
{
    if (!c->over)
        plugin_process_signal(mcp_session_process(c->session), signo);
}

void
mcp_call_hold(struct mcp_call *c, bool paused)
{
    c->paused = paused;
    if (!c->over)
        plugin_process_pause(mcp_session_process(c->session), paused);
}

static void
stop_timer(struct mcp_call *c)
{
    c->over = true;
    watch_free(c->limit);
    c->limit = NULL;
}

/* Ends the call, and the server with it. */
static void
fail_mcp_call(struct mcp_call *c, struct err *why)
{
    if (c->over)
        return;
    stop_timer(c);
    err_wrap(why, "%s", c->tool->name);
    c->ev->failed(c->arg, why);
}

static void
finish_mcp_call(struct mcp_call *c, const struct jsonrpc *m)
{
    CLEANUP(mcp_result_done) struct mcp_result a = {0};
    CLEANUP(denials_done) struct denials refused = {0};
    struct err why = {0};

    if (mcp_result_make(&a, m, &c->log, clock_ms() - c->from_ms, &why) < 0) {
        why.code = why.code == ERR_NOMEM ? ERR_NOMEM : ERR_PEER;
        fail_mcp_call(c, &why);
        return;
    }
    stop_timer(c);
    plugin_process_read_denials(mcp_session_process(c->session), &refused);
    a.result.refused = &refused;
    if (c->waiting)
        mcp_pool_give(c->waiting, TAKE_PTR(c->session), &c->key);
    c->ev->done(c->arg, &a.result);
}

static void
on_limit(void *arg, unsigned events)
{
    struct mcp_call *c = arg;
    struct err why = {0};

    (void)events;
    if (!c->expired) { /* time for it to read that and to clean up */
        c->expired = true;
        mcp_session_cancel(c->session, "timed out");
        watch_again(c->limit, CANCEL_MS);
        return;
    }
    err_set(&why, ERR_TIMEOUT, "no answer within %lld ms",
            (long long)c->limit_ms);
    mcp_session_explain(c->session, &why);
    fail_mcp_call(c, &why);
}

static int
request_call(struct mcp_call *c, struct err *e)
{
    CLEANUP_BUF struct buf params = buf_of(PROTOCOL_REQUEST_MAX);
    struct json_writer w;

    c->listing = false;
    json_write_init(&w, &params);
    json_open_object(&w);
    json_member_str(&w, "name", c->tool->remote);
    json_key(&w, "arguments");
    json_put_raw(&w, c->args.p, c->args.len);
    json_close_object(&w);
    if (buf_ok(&params, "the request", e) < 0)
        return -1;
    return mcp_session_request(c->session, "tools/call", &params, true, e);
}

static int
request_list(struct mcp_call *c, struct err *e)
{
    c->listing = true;
    return mcp_tools_request(&c->list, c->session, e);
}

/* Whether the server still has the tool. */
static int
check_offered(const struct mcp_call *c, struct err *e)
{
    CLEANUP(json_free_p)
    struct json *list = json_parse(c->list.text.p, c->list.text.len, 0, e);
    const struct json *v = json_first(json_get(list, "tools"));

    for (; v; v = json_next(v)) {
        const char *name = json_get_str(v, "name");

        if (name && strcmp(name, c->tool->remote) == 0)
            return 0;
    }
    return list ? err_set(
                      e, ERR_NOT_FOUND,
                      "the server no longer offers it; see agentsh tool list")
                : -1;
}

static void
on_ready(void *arg)
{
    struct mcp_call *c = arg;
    struct err why = {0};

    if (request_list(c, &why) < 0)
        fail_mcp_call(c, &why);
}

static void
on_list(struct mcp_call *c, const struct jsonrpc *m)
{
    struct err why = {0};
    int rc = mcp_tools_on_answer(&c->list, c->session, m, &why);

    if (rc == 0)
        return;
    if (rc > 0)
        mcp_tools_cache(c->tool->server->seat, c->tool->hash, &c->list);
    if (rc < 0 || check_offered(c, &why) < 0 || request_call(c, &why) < 0)
        fail_mcp_call(c, &why);
}

static void
on_answer(void *arg, const struct jsonrpc *m)
{
    struct mcp_call *c = arg;

    c->waited = false;
    if (c->over || c->expired)
        return;
    if (c->listing)
        on_list(c, m);
    else
        finish_mcp_call(c, m);
}

static void
on_progress(const struct mcp_call *c, const struct json *params)
{
    const char *text = json_get_str(params, "message");
    double done, total;

    if (!json_num(json_get(params, "progress"), &done))
        return;
    if (!json_num(json_get(params, "total"), &total))
        total = -1;
    c->ev->progress(c->arg, done, total, text ? text : "");
}

/* Adds a log message, "warning: TEXT", to the result's stderr. */
static void
on_log(struct mcp_call *c, const struct json *params)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);
    const struct json *data = json_get(params, "data");
    const char *level = json_get_str(params, "level"), *text;
    struct json_writer w;
    size_t n;

    buf_printf(&line, "%.20s: ", level ? level : "log");
    json_write_init(&w, &line);
    if ((text = json_str(data, &n)))
        buf_add(&line, text, n);
    else if (data)
        json_put_value(&w, data);
    if (line.bad || line.len + 1 > LOG_MAX - c->log.len)
        return; /* without its log the result is still valid */
    buf_ch(&line, '\n');
    buf_add(&c->log, line.p, line.len);
    if (c->stream && c->ev->output)
        c->ev->output(c->arg, "stderr", line.p, line.len);
}

static void
on_notice(void *arg, const struct jsonrpc *m)
{
    struct mcp_call *c = arg;

    c->waited = false;
    if (c->over)
        return;
    if (strcmp(m->method, "notifications/progress") == 0 && c->ev->progress)
        on_progress(c, m->params);
    else if (strcmp(m->method, "notifications/message") == 0)
        on_log(c, m->params);
}

static int start_server(struct mcp_call *c, enum mcp_era era,
                        struct zygote_client *zygote, struct err *e);

static void
on_gone(void *arg, struct err *why)
{
    struct mcp_call *c = arg;
    struct err again = {0};
    bool shake;

    if (c->over)
        return;
    if (c->expired) {
        on_limit(c, 0);
        return;
    }
    /* it ended while it waited, and has not read the call; or has no call yet
     */
    shake = mcp_session_may_shake(c->session);
    if (shake || (c->waited && plugin_process_is_untouched(
                                   mcp_session_process(c->session)))) {
        mcp_session_free(TAKE_PTR(c->session));
        if (start_server(c, shake ? MCP_ERA_HANDSHAKE : c->tool->era, NULL,
                         &again) == 0)
            return;
        why = &again;
    }
    fail_mcp_call(c, why);
}

static const struct mcp_session_events events = {.ready = on_ready,
                                                 .answer = on_answer,
                                                 .notice = on_notice,
                                                 .gone = on_gone};

static int
start_server(struct mcp_call *c, enum mcp_era era, struct zygote_client *zygote,
             struct err *e)
{
    const struct mcp_session_params params = {.server = c->tool->server,
                                              .how = &c->launch,
                                              .zygote = zygote,
                                              .workspace = c->workspace,
                                              .era = era};

    c->waited = false;
    if (mcp_hash_check(c->tool->server, c->tool->hash, e) < 0)
        return -1;
    c->session = mcp_session_new(c->loop, &params, e);
    if (!c->session)
        return -1;
    mcp_session_set_events(c->session, &events, c);
    return 0;
}

static int
begin_call(struct mcp_call *c, struct zygote_client *zygote, struct err *e)
{
    if (c->limit_ms >= 0 &&
        !(c->limit = loop_timer(c->loop, c->limit_ms, on_limit, c, e)))
        return -1;
    if (c->waiting)
        c->session = mcp_pool_take(c->waiting, &c->key);
    if (!c->session)
        return start_server(c, c->tool->era, zygote, e);
    c->waited = true;
    mcp_session_set_events(c->session, &events, c);
    return mcp_session_changed(c->session) ? request_list(c, e)
                                           : request_call(c, e);
}

static int
prepare_call(struct mcp_call *c, const struct tool_request *rq,
             const struct tool_setting *s, struct err *e)
{
    struct sandbox_spec spec = *s->sandbox;
    struct tool_setting set = *s;
    struct json_writer w;

    set.sandbox = &spec;
    spec.limit_ms =
        0; /* that limit is the call's; the server stays for others */
    c->limit_ms = protocol_time_limit(c->tool, rq, s);
    json_write_init(&w, &c->args);
    if (rq->args)
        json_put_value(&w, rq->args);
    else
        json_put_raw(&w, "{}", 2);
    if (spec.workspace && !(c->workspace = strdup(spec.workspace)))
        return err_nomem(e);
    if (mcp_spawn_prepare(&c->launch, c->tool->server, &set, e) < 0)
        return -1;
    spawn_key(&c->launch, c->tool->hash, &c->key);
    return buf_ok(&c->key, "its environment", e);
}

struct mcp_call *
mcp_call_start(struct loop *l, const struct tool *t,
               const struct tool_request *rq, const struct tool_setting *s,
               const struct tool_events *ev, void *arg,
               struct mcp_pool **waiting, struct zygote_client *zygote,
               struct err *e)
{
    CLEANUP(mcp_call_free_p) struct mcp_call *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    *c = (struct mcp_call){
        .loop = l,
        .tool = t,
        .ev = ev,
        .arg = arg,
        .waiting = waiting,
        .key = buf_of(SPAWN_KEY_MAX),
        .args = buf_of(PROTOCOL_REQUEST_MAX),
        .log = buf_of(LOG_MAX),
        .from_ms = clock_ms(),
        .stream = rq->stream,
    };
    if (prepare_call(c, rq, s, e) < 0 || begin_call(c, zygote, e) < 0)
        return NULL;
    return TAKE_PTR(c);
}
