/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - a call of a server's tool: greeting, list, call, answer. */
#include "tool/mcp/call.h"

#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "tool/mcp/answer.h"
#include "tool/mcp/listing.h"
#include "tool/mcp/program.h"
#include "tool/request.h"

#define KEY_MAX        (4u << 20)  /* words and environment: twice ARG_MAX */
#define LOG_MAX        (64u << 10) /* of what it says meanwhile */
#define LINE_MAX_BYTES 4096
#define CANCEL_MS      300 /* past its time, for a server to clean up */

struct mcp_call {
    struct loop *loop;
    const struct tool *tool;
    const struct tool_events *ev;
    void *arg;
    struct mcp_session *session;
    struct mcp_idle **waiting; /* where it goes afterwards; NULL: nowhere */
    struct launch launch;
    char *workspace;
    struct buf key, args, log;
    struct mcp_list list;
    struct watch *limit;
    int64_t from_ms, limit_ms;
    bool listing; /* the list of its tools is asked for, not the call */
    bool waited;  /* the server did, and has said nothing yet */
    bool expired; /* its time is over, and the server was told so */
    bool stream, held, over;
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
    mcp_list_done(&c->list);
    launch_done(&c->launch);
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
        peer_signal(mcp_session_peer(c->session), signo);
}

void
mcp_call_hold(struct mcp_call *c, bool held)
{
    c->held = held;
    if (!c->over)
        peer_hold(mcp_session_peer(c->session), held);
}

static void
stop(struct mcp_call *c)
{
    c->over = true;
    watch_free(c->limit);
    c->limit = NULL;
}

/* The server's processes are ended with the call. */
static void
fail(struct mcp_call *c, struct err *why)
{
    if (c->over)
        return;
    stop(c);
    err_wrap(why, "%s", c->tool->name);
    c->ev->failed(c->arg, why);
}

static void
finish(struct mcp_call *c, const struct jsonrpc *m)
{
    CLEANUP(mcp_answer_done) struct mcp_answer a = {0};
    CLEANUP(denials_done) struct denials refused = {0};
    struct err why = {0};

    if (mcp_answer_make(&a, m, &c->log, clock_ms() - c->from_ms, &why) < 0) {
        why.code = why.code == ERR_NOMEM ? ERR_NOMEM : ERR_PEER;
        fail(c, &why);
        return;
    }
    stop(c);
    peer_refused(mcp_session_peer(c->session), &refused);
    a.result.refused = &refused;
    if (c->waiting)
        mcp_idle_give(c->waiting, TAKE_PTR(c->session), &c->key);
    c->ev->done(c->arg, &a.result);
}

static void
on_limit(void *arg, unsigned events)
{
    struct mcp_call *c = arg;
    struct err why = {0};

    (void)events;
    if (!c->expired) { /* time for it to hear that, and to clean up */
        c->expired = true;
        mcp_session_cancel(c->session, "timed out");
        watch_again(c->limit, CANCEL_MS);
        return;
    }
    err_set(&why, ERR_TIMEOUT, "no answer within %lld ms",
            (long long)c->limit_ms);
    mcp_session_explain(c->session, &why);
    fail(c, &why);
}

static int
ask_call(struct mcp_call *c, struct err *e)
{
    CLEANUP_BUF struct buf params = buf_of(REQUEST_LINE_MAX);
    struct json_writer w;

    c->listing = false;
    json_write_init(&w, &params);
    json_open_object(&w);
    json_member_str(&w, "name", c->tool->remote);
    json_key(&w, "arguments");
    json_put_raw(&w, c->args.p, c->args.len);
    json_key(&w, "_meta");
    json_open_object(&w);
    json_member_int(&w, "progressToken", mcp_session_next(c->session));
    json_close_object(&w);
    json_close_object(&w);
    if (buf_ok(&params, "the request", e) < 0)
        return -1;
    return mcp_session_ask(c->session, "tools/call", &params, e);
}

static int
ask_list(struct mcp_call *c, struct err *e)
{
    c->listing = true;
    return mcp_listing_begin(&c->list, c->session, e);
}

/* Whether the server still offers it. */
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

    if (ask_list(c, &why) < 0)
        fail(c, &why);
}

static void
take_list(struct mcp_call *c, const struct jsonrpc *m)
{
    struct err why = {0};
    int rc = mcp_listing_take(&c->list, c->session, m, &why);

    if (rc == 0)
        return;
    if (rc > 0)
        mcp_list_keep(c->tool->hash, &c->list);
    if (rc < 0 || check_offered(c, &why) < 0 || ask_call(c, &why) < 0)
        fail(c, &why);
}

static void
on_answer(void *arg, const struct jsonrpc *m)
{
    struct mcp_call *c = arg;

    c->waited = false;
    if (c->over || c->expired)
        return;
    if (c->listing)
        take_list(c, m);
    else
        finish(c, m);
}

static void
take_progress(const struct mcp_call *c, const struct json *params)
{
    const char *text = json_get_str(params, "message");
    double done, total;

    if (!json_num(json_get(params, "progress"), &done))
        return;
    if (!json_num(json_get(params, "total"), &total))
        total = -1;
    c->ev->progress(c->arg, done, total, text ? text : "");
}

/* "warning: TEXT", for who reads the tool's log. */
static void
take_log(struct mcp_call *c, const struct json *params)
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
        return; /* a log is not what was asked for */
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
        take_progress(c, m->params);
    else if (strcmp(m->method, "notifications/message") == 0)
        take_log(c, m->params);
}

static int begin_new(struct mcp_call *c, struct zygote_client *spare,
                     struct err *e);

static void
on_gone(void *arg, struct err *why)
{
    struct mcp_call *c = arg;
    struct err again = {0};

    if (c->over)
        return;
    if (c->expired) {
        on_limit(c, 0);
        return;
    }
    /* it went while it waited, and has not seen the call */
    if (c->waited && peer_is_untouched(mcp_session_peer(c->session))) {
        mcp_session_free(TAKE_PTR(c->session));
        if (begin_new(c, NULL, &again) == 0)
            return;
        why = &again;
    }
    fail(c, why);
}

static const struct mcp_events events = {.ready = on_ready,
                                         .answer = on_answer,
                                         .notice = on_notice,
                                         .gone = on_gone};

static int
begin_new(struct mcp_call *c, struct zygote_client *spare, struct err *e)
{
    c->waited = false;
    if (mcp_check_same(c->tool->server, c->tool->hash, e) < 0)
        return -1;
    c->session = mcp_session_new(c->loop, c->tool->server, &c->launch, spare,
                                 c->workspace, e);
    if (!c->session)
        return -1;
    mcp_session_attend(c->session, &events, c);
    return 0;
}

static int
begin(struct mcp_call *c, struct zygote_client *spare, struct err *e)
{
    if (c->limit_ms >= 0 &&
        !(c->limit = loop_timer(c->loop, c->limit_ms, on_limit, c, e)))
        return -1;
    if (c->waiting)
        c->session = mcp_idle_take(c->waiting, &c->key);
    if (!c->session)
        return begin_new(c, spare, e);
    c->waited = true;
    mcp_session_attend(c->session, &events, c);
    return mcp_session_changed(c->session) ? ask_list(c, e) : ask_call(c, e);
}

static int
prepare(struct mcp_call *c, const struct tool_request *rq,
        const struct tool_setting *s, struct err *e)
{
    struct sandbox_spec walls = *s->sandbox;
    struct tool_setting set = *s;
    struct json_writer w;

    set.sandbox = &walls;
    walls.limit_ms = 0; /* a call's, and the server stays for the next */
    c->limit_ms = request_limit(c->tool, rq, s);
    json_write_init(&w, &c->args);
    if (rq->args)
        json_put_value(&w, rq->args);
    else
        json_put_raw(&w, "{}", 2);
    if (walls.workspace && !(c->workspace = strdup(walls.workspace)))
        return err_nomem(e);
    if (mcp_launch(&c->launch, c->tool->server, &set, e) < 0)
        return -1;
    launch_key(&c->launch, c->tool->hash, &c->key);
    return buf_ok(&c->key, "its environment", e);
}

struct mcp_call *
mcp_call_start(struct loop *l, const struct tool *t,
               const struct tool_request *rq, const struct tool_setting *s,
               const struct tool_events *ev, void *arg,
               struct mcp_idle **waiting, struct zygote_client *spare,
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
        .key = buf_of(KEY_MAX),
        .args = buf_of(REQUEST_LINE_MAX),
        .log = buf_of(LOG_MAX),
        .from_ms = clock_ms(),
        .stream = rq->stream,
    };
    if (prepare(c, rq, s, e) < 0 || begin(c, spare, e) < 0)
        return NULL;
    return TAKE_PTR(c);
}
