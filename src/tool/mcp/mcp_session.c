/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_session.c - an MCP server's process, and the session with it. */
#include "tool/mcp/mcp_session.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "tool/mcp/mcp_http.h"
#include "tool/mcp/mcp_input.h"
#include "tool/mcp/mcp_roots.h"
#include "json/write.h"

#define PARAMS_MAX     (16u << 20)  /* a request: as long as a line may be */
#define FIRST_LINE_MAX (512u << 10) /* a URL and headers, escaped */
#define INPUT_MAX      (2u << 20)   /* roots, and the state of a request */
#define INPUTS_MAX     8    /* rounds of input that one request may need */
#define DISCOVER_MS    1000 /* old servers may pass over what they lack */
/* Over HTTP each request is answered, but the network is slow. */
#define DISCOVER_HTTP_MS 5000

/* The request of our user that has no answer yet. */
struct open_request {
    const char *method; /* NULL: there is none */
    struct buf params;  /* an object; empty: there are none */
    bool progress;
    int64_t id;
    int inputs; /* rounds of input */
};

struct mcp_session {
    struct plugin_process *process;
    struct loop *loop;
    const struct mcp_server *entry;
    const struct mcp_session_events *ev;
    void *arg;
    struct buf roots; /* the answer to roots/list */
    int64_t id;       /* of the last request */
    struct open_request open;
    enum mcp_era era;
    bool assumed; /* the era is from a file, and nothing has confirmed it */
    /* ids of open requests that find out the era, and of one whose answer does
     * not matter any more; 0: there is none */
    int64_t discover, initialize, stray;
    struct watch *timer; /* it does not answer server/discover, or is ready */
    struct err refused;  /* why it has refused `initialize`, if it has */
    bool probed;         /* server/discover was sent */
    bool heard;          /* it has sent a message */
    bool died;           /* it has ended, and broken no rule */
    bool ready, changed, over;
    size_t noise;   /* lines without JSON since the last message */
    size_t skipped; /* all of them */
    size_t messages;
    char version[MANIFEST_VERSION_MAX];
    bool *freed; /* set to true when the session is freed in a callback */
};

void
mcp_session_free(struct mcp_session *s)
{
    if (!s)
        return;
    if (s->freed)
        *s->freed = true;
    watch_free(s->timer);
    plugin_process_free(s->process);
    buf_done(&s->open.params);
    buf_done(&s->roots);
    free(s);
}

void
mcp_session_terminate(struct mcp_session *s)
{
    plugin_process_terminate(s->process);
}

static void
stop_session_timer(struct mcp_session *s)
{
    watch_free(s->timer);
    s->timer = NULL;
}

int
mcp_session_end(struct mcp_session *s, loop_cb *cb, void *arg, struct err *e)
{
    s->over = true;
    stop_session_timer(s);
    return plugin_process_end(s->process, cb, arg, e);
}

void
mcp_session_set_events(struct mcp_session *s,
                       const struct mcp_session_events *ev, void *arg)
{
    s->ev = ev;
    s->arg = arg;
}

const struct mcp_server *
mcp_session_server(const struct mcp_session *s)
{
    return s->entry;
}

const char *
mcp_session_version(const struct mcp_session *s)
{
    return s->version;
}

enum mcp_era
mcp_session_era(const struct mcp_session *s)
{
    return s->ready && !s->assumed ? s->era : MCP_ERA_UNKNOWN;
}

bool
mcp_session_may_shake(const struct mcp_session *s)
{
    return s->died && s->probed && !s->ready && s->refused.code == ERR_NONE;
}

size_t
mcp_session_noise(const struct mcp_session *s)
{
    return s->skipped;
}

bool
mcp_session_changed(struct mcp_session *s)
{
    bool changed = s->changed;

    s->changed = false;
    return changed;
}

bool
mcp_session_is_alive(struct mcp_session *s)
{
    return !s->over && plugin_process_is_alive(s->process);
}

struct plugin_process *
mcp_session_process(struct mcp_session *s)
{
    return s->process;
}

static void
fail_session(struct mcp_session *s, struct err *why)
{
    if (s->over)
        return;
    s->over = true;
    stop_session_timer(s);
    plugin_process_pause(s->process, true);
    s->ev->gone(s->arg, why);
}

/* Sends a request. more: members that belong to its params too; may be NULL. */
static int
send_mcp_request(struct mcp_session *s, const char *method,
                 const struct buf *params, const struct buf *more,
                 bool progress, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(PARAMS_MAX);
    CLEANUP_BUF struct buf all = buf_of(PARAMS_MAX);
    bool meta = progress || s->era == MCP_ERA_REQUEST;
    struct json_writer w;

    s->id++;
    buf_add(&all, "{", 1);
    if (params && params->len > 2) /* without its braces */
        buf_add(&all, params->p + 1, params->len - 2);
    if (more && more->len)
        buf_printf(&all, "%s%s", all.len > 1 ? "," : "", more->p);
    if (meta) {
        buf_printf(&all, "%s\"_meta\":", all.len > 1 ? "," : "");
        mcp_era_write_meta(s->era, progress ? s->id : 0, &all);
    }
    buf_ch(&all, '}');
    if (buf_ok(&all, "the request", e) < 0)
        return -1;
    jsonrpc_begin_request(&w, &line, s->id, method);
    jsonrpc_params(&w);
    json_put_raw(&w, all.p, all.len);
    jsonrpc_end(&w);
    s->messages = 0;
    if (buf_ok(&line, "the request", e) < 0)
        return -1;
    return plugin_process_send(s->process, line.p, line.len, false, e);
}

static int
send_open_request(struct mcp_session *s, const struct buf *more, struct err *e)
{
    struct open_request *o = &s->open;
    int rc = send_mcp_request(s, o->method, &o->params, more, o->progress, e);

    o->id = s->id;
    return rc;
}

int
mcp_session_request(struct mcp_session *s, const char *method,
                    const struct buf *params, bool progress, struct err *e)
{
    struct open_request *o = &s->open;

    buf_clear(&o->params);
    if (params)
        buf_add(&o->params, params->p, params->len);
    if (buf_ok(&o->params, "the request", e) < 0)
        return -1;
    o->method = method;
    o->progress = progress;
    o->inputs = 0;
    return send_open_request(s, NULL, e);
}

static int
send_notification(struct mcp_session *s, const char *method,
                  const struct buf *params, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(PARAMS_MAX);
    struct json_writer w;

    jsonrpc_begin_notification(&w, &line, method);
    if (params) {
        jsonrpc_params(&w);
        json_put_raw(&w, params->p, params->len);
    }
    jsonrpc_end(&w);
    return plugin_process_send(s->process, line.p, line.len, false, e);
}

void
mcp_session_cancel(struct mcp_session *s, const char *why)
{
    CLEANUP_BUF struct buf params = buf_of(1024);
    struct json_writer w;

    if (s->over || !s->ready || !s->open.method)
        return;
    json_write_init(&w, &params);
    json_open_object(&w);
    json_member_int(&w, "requestId", s->open.id);
    json_member_str(&w, "reason", why);
    json_close_object(&w);
    (void)send_notification(s, "notifications/cancelled", &params, NULL);
    plugin_process_end_input(s->process);
}

static int
answer_server_request(struct mcp_session *s, const struct jsonrpc *m,
                      struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(PARAMS_MAX);
    bool ping = strcmp(m->method, "ping") == 0;

    if (s->era != MCP_ERA_REQUEST &&
        (ping || strcmp(m->method, "roots/list") == 0)) {
        jsonrpc_begin_result(&line, m->id);
        buf_str(&line, ping ? "{}" : s->roots.p);
        buf_ch(&line, '}');
    } else {
        jsonrpc_put_error(&line, m->id, JSONRPC_NO_METHOD, "method not found",
                          NULL);
    }
    return plugin_process_send(s->process, line.p, line.len, false, e);
}

/* Calls back. False: s was freed. */
static bool
deliver_message(struct mcp_session *s, const struct jsonrpc *m)
{
    bool freed = false;

    /* cppcheck-suppress autoVariables ; it is taken back before we return */
    s->freed = &freed;
    if (m)
        s->ev->answer(s->arg, m);
    else
        s->ev->ready(s->arg);
    if (!freed)
        s->freed = NULL;
    return !freed;
}

/* Fails the session, and says that it may be freed. */
static bool
fail_in_line(struct mcp_session *s, struct err *why)
{
    fail_session(s, why);
    return false;
}

static void
keep_server_version(struct mcp_session *s, const struct json *result)
{
    const char *version = mcp_era_server_version(result);

    if (version || !s->version[0])
        snprintf(s->version, sizeof(s->version), "%s", version ? version : "-");
}

static int
send_initialize(struct mcp_session *s, struct err *e)
{
    CLEANUP_BUF struct buf params = buf_of(1024);
    int rc;

    mcp_era_write_initialize(&params);
    rc = send_mcp_request(s, "initialize", &params, NULL, false, e);
    s->initialize = s->id;
    return rc;
}

static void
on_undiscovered(void *arg, unsigned events)
{
    struct mcp_session *s = arg;
    struct err why = {0};

    (void)events;
    stop_session_timer(s);
    if (send_initialize(s, &why) < 0)
        fail_session(s, &why);
}

static int
send_discover(struct mcp_session *s, struct err *e)
{
    int rc;

    s->era = MCP_ERA_REQUEST; /* of this request */
    rc = send_mcp_request(s, "server/discover", NULL, NULL, false, e);
    s->era = MCP_ERA_UNKNOWN;
    s->assumed = s->ready = false;
    s->probed = true;
    s->discover = s->id;
    stop_session_timer(s);
    s->timer = loop_timer(s->loop,
                          s->entry->url ? DISCOVER_HTTP_MS : DISCOVER_MS,
                          on_undiscovered, s, e);
    return s->timer ? rc : -1;
}

/* The era is known: the user's turn, or that of a request that was made in the
 * other one. */
static bool
begin_session(struct mcp_session *s, enum mcp_era era)
{
    struct err why = {0};

    stop_session_timer(s);
    s->era = era;
    s->assumed = false;
    s->ready = true;
    if (era == MCP_ERA_HANDSHAKE &&
        send_notification(s, "notifications/initialized", NULL, &why) < 0)
        return fail_in_line(s, &why);
    if (!s->open.method)
        return deliver_message(s, NULL);
    return send_open_request(s, NULL, &why) == 0 || fail_in_line(s, &why);
}

/* Whether the program that talks to it over HTTP answers in its place. */
static bool
is_unreachable(const struct mcp_session *s, const struct jsonrpc *m,
               struct err *why)
{
    if (!s->entry->url || m->kind != JSONRPC_ERROR ||
        m->code != MCP_HTTP_FAILED)
        return false;
    err_set(why, ERR_PEER, "%.240s", m->message);
    return true;
}

static bool
on_discovered(struct mcp_session *s, const struct jsonrpc *m)
{
    struct err why = {0};
    enum mcp_era era = mcp_era_of_discovery(m, &why);

    s->discover = 0;
    stop_session_timer(s);
    if (is_unreachable(s, m, &why))
        return fail_in_line(s, &why);
    if (era == MCP_ERA_REQUEST) {
        keep_server_version(s, m->result);
        s->stray = s->initialize;
        s->initialize = 0;
        return begin_session(s, era);
    }
    if (s->initialize) /* which is answered next */
        return true;
    if (s->refused.code != ERR_NONE)
        return fail_in_line(s, &s->refused);
    if (era == MCP_ERA_UNKNOWN || send_initialize(s, &why) < 0)
        return fail_in_line(s, &why);
    return true;
}

static bool
on_initialized(struct mcp_session *s, const struct jsonrpc *m)
{
    struct err why = {0};

    s->initialize = 0;
    if (is_unreachable(s, m, &why))
        return fail_in_line(s, &why);
    if (m->kind == JSONRPC_ERROR) {
        err_set(&why, ERR_PEER, "refused to initialize: %.160s", m->message);
        s->refused = why;
        if (s->probed || send_discover(s, &why) < 0)
            return fail_in_line(s, &why);
        return true;
    }
    if (mcp_era_check_initialized(m->result, &why) < 0)
        return fail_in_line(s, &why);
    keep_server_version(s, m->result);
    s->stray = s->discover;
    s->discover = 0;
    return begin_session(s, MCP_ERA_HANDSHAKE);
}

static bool
give_input(struct mcp_session *s, const struct json *result)
{
    CLEANUP_BUF struct buf input = buf_of(INPUT_MAX);
    struct err why = {0};

    if (s->open.inputs++ == INPUTS_MAX)
        err_set(&why, ERR_PEER, "needs input more than %d times", INPUTS_MAX);
    else if (mcp_input_answer(result, &s->roots, &input, &why) == 0 &&
             send_open_request(s, &input, &why) == 0)
        return true;
    return fail_in_line(s, &why);
}

/* The answer to the request of our user. A list of tools that is refused may
 * be due to an era that is not the server's any more; to ask for it again
 * changes nothing there. */
static bool
on_answered(struct mcp_session *s, const struct jsonrpc *m)
{
    enum mcp_input kind = mcp_input_kind(m->result);
    struct err why = {0};

    if (s->open.method && s->assumed && is_unreachable(s, m, &why))
        return fail_in_line(s, &why);
    if (s->era == MCP_ERA_REQUEST && m->kind == JSONRPC_ERROR && s->assumed &&
        strcmp(s->open.method, "tools/list") == 0)
        return send_discover(s, &why) == 0 || fail_in_line(s, &why);
    if (s->era == MCP_ERA_REQUEST && m->kind == JSONRPC_RESULT) {
        s->assumed = false;
        keep_server_version(s, m->result);
        if (kind == MCP_INPUT_REQUIRED)
            return give_input(s, m->result);
        if (kind == MCP_INPUT_OTHER) {
            err_set(&why, ERR_PEER, "sent a result of an unknown type");
            return fail_in_line(s, &why);
        }
    }
    s->open.method = NULL;
    buf_clear(&s->open.params);
    return deliver_message(s, m);
}

static bool
on_response(struct mcp_session *s, const struct jsonrpc *m)
{
    struct err why = {0};

    if (s->stray && jsonrpc_has_id(m, s->stray)) {
        s->stray = 0;
        return true;
    }
    /* who cannot read server/discover may not find its id either */
    if (s->discover && (!m->id || jsonrpc_has_id(m, s->discover)))
        return on_discovered(s, m);
    if (s->initialize && jsonrpc_has_id(m, s->initialize))
        return on_initialized(s, m);
    if (s->ready && s->open.method && jsonrpc_has_id(m, s->open.id))
        return on_answered(s, m);
    if (!m->id)
        err_set(&why, ERR_PEER, "could not read its request: %.160s",
                m->message);
    else
        err_set(&why, ERR_PEER, "responded to an unknown request (id %.40s)",
                m->id);
    return fail_in_line(s, &why);
}

static bool
on_message(struct mcp_session *s, const struct jsonrpc *m)
{
    struct err why = {0};

    s->heard = true;
    if (m->kind == JSONRPC_RESULT || m->kind == JSONRPC_ERROR)
        return on_response(s, m);
    if (++s->messages > MCP_MESSAGES_MAX)
        err_set(&why, ERR_PEER, "sent more than %d messages", MCP_MESSAGES_MAX);
    else if (m->kind == JSONRPC_REQUEST)
        (void)answer_server_request(s, m, &why);
    else if (strcmp(m->method, "notifications/tools/list_changed") == 0)
        s->changed = true;
    else if (s->ev->notice)
        s->ev->notice(s->arg, m);
    return why.code == ERR_NONE || fail_in_line(s, &why);
}

/* Whether a line is meant as a message, which is one object. Some servers print
 * their log to stdout. */
static bool
is_meant_as_message(const char *line, size_t n)
{
    while (n > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        n--;
    }
    return n > 0 && *line == '{';
}

static bool
on_line(void *arg, const char *line, size_t n)
{
    struct mcp_session *s = arg;
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err why = {0};

    if (s->over)
        return false;
    if (jsonrpc_parse(line, n, &m, &why) == 0) {
        s->noise = 0;
        return on_message(s, &m);
    }
    if (!is_meant_as_message(line, n)) {
        s->skipped++;
        if (s->noise++ < MCP_NOISE_MAX)
            return true;
    }
    why.code = ERR_PEER;
    err_wrap(&why, "sent an invalid message");
    return fail_in_line(s, &why);
}

static void
on_closed(void *arg)
{
    (void)arg; /* `gone` reports next how it ended */
}

/* Whether the command is one that downloads programs. */
static bool
is_fetcher(const char *command)
{
    static const char *const names[] = {"npx",  "uvx",    "uv",     "bunx",
                                        "pnpx", "pnpm",   "yarn",   "pipx",
                                        "npm",  "docker", "podman", "deno"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(path_base(command), names[i]) == 0)
            return true;
    return false;
}

void
mcp_session_explain(const struct mcp_session *s, struct err *why)
{
    const struct mcp_server *m = s->entry;

    if (s->heard || m->needs.network || !is_fetcher(m->argv[0]) ||
        (why->code != ERR_PEER && why->code != ERR_TIMEOUT))
        return;
    err_wrap(why,
             "%s downloads from the network, which it may not reach (install "
             "the server and name its program, or put \"agentsh\": "
             "{\"network\": \"internet\"} into its entry)",
             path_base(m->argv[0]));
}

static void
on_gone(void *arg, struct err *why)
{
    struct mcp_session *s = arg;

    s->died = why->code == ERR_NONE;
    if (s->died)
        (void)plugin_process_explain(s->process, why);
    mcp_session_explain(s, why);
    fail_session(s, why);
}

static void
on_assumed(void *arg, unsigned events)
{
    struct mcp_session *s = arg;

    (void)events;
    stop_session_timer(s);
    s->ready = true;
    (void)deliver_message(s, NULL);
}

static int
open_session(struct mcp_session *s, enum mcp_era era, struct err *e)
{
    if (era == MCP_ERA_UNKNOWN)
        return send_discover(s, e);
    s->era = era;
    s->assumed = true;
    if (era == MCP_ERA_HANDSHAKE)
        return send_initialize(s, e);
    s->timer = loop_soon(s->loop, on_assumed, s, e);
    return s->timer ? 0 : -1;
}

/* The process has started. One that speaks HTTP is told to whom. */
static int
begin_process(struct mcp_session *s, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of_secret(FIRST_LINE_MAX);

    if (!s->entry->url)
        return 0;
    plugin_process_set_leave(s->process, MCP_HTTP_LEAVE_MS);
    mcp_http_write_first_line(s->entry, &line);
    if (buf_ok(&line, "its headers", e) < 0)
        return -1;
    return plugin_process_send(s->process, line.p, line.len, false, e);
}

struct mcp_session *
mcp_session_new(struct loop *l, const struct mcp_session_params *p,
                struct err *e)
{
    static const struct plugin_process_events events = {
        .line = on_line, .closed = on_closed, .gone = on_gone};
    static const struct manifest_needs no_needs; /* it has none of our files */
    CLEANUP(mcp_session_free_p) struct mcp_session *s = calloc(1, sizeof(*s));
    struct spawned started = {.report = -1};

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->loop = l;
    s->entry = p->server;
    buf_init(&s->roots, MCP_ROOTS_MAX);
    buf_init(&s->open.params, PARAMS_MAX);
    mcp_roots_write(p->server->seat,
                    p->server->url ? &no_needs : &p->server->needs,
                    p->workspace, &s->roots);
    if (buf_ok(&s->roots, "its roots", e) < 0 ||
        spawn_start(p->how, p->zygote, &started, e) < 0 ||
        !(s->process = plugin_process_new(l, &started, e)))
        return NULL;
    plugin_process_set_events(s->process, &events, s);
    plugin_process_set_later(s->process);
    return begin_process(s, e) < 0 || open_session(s, p->era, e) < 0
               ? NULL
               : TAKE_PTR(s);
}
