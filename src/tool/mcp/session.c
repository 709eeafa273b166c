/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.c - a server's process, and the talk with it. */
#include "tool/mcp/session.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "tool/mcp/roots.h"

#define PARAMS_MAX  (16u << 20) /* a request: what a peer's line may hold */
#define VERSION_MAX 64

struct mcp_session {
    struct peer *peer;
    const struct mcp_entry *entry;
    const struct mcp_events *ev;
    void *arg;
    struct buf roots; /* the answer to roots/list */
    int64_t id;       /* of the last request */
    bool asked;       /* it is not answered yet */
    bool ready, changed, over;
    size_t noise, skipped, messages; /* noise: since a message came */
    char version[VERSION_MAX];
    bool *freed; /* where a callback's caller wants to know */
};

void
mcp_session_free(struct mcp_session *s)
{
    if (!s)
        return;
    if (s->freed)
        *s->freed = true;
    peer_free(s->peer);
    buf_done(&s->roots);
    free(s);
}

void
mcp_session_tell_end(struct mcp_session *s)
{
    peer_tell_end(s->peer);
}

void
mcp_session_attend(struct mcp_session *s, const struct mcp_events *ev,
                   void *arg)
{
    s->ev = ev;
    s->arg = arg;
}

int64_t
mcp_session_next(const struct mcp_session *s)
{
    return s->id + 1;
}

const char *
mcp_session_version(const struct mcp_session *s)
{
    return s->version;
}

size_t
mcp_session_skipped(const struct mcp_session *s)
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
    return !s->over && peer_is_alive(s->peer);
}

struct peer *
mcp_session_peer(struct mcp_session *s)
{
    return s->peer;
}

static void
fail(struct mcp_session *s, struct err *why)
{
    if (s->over)
        return;
    s->over = true;
    peer_hold(s->peer, true);
    s->ev->gone(s->arg, why);
}

int
mcp_session_ask(struct mcp_session *s, const char *method,
                const struct buf *params, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(PARAMS_MAX);
    struct json_writer w;

    jsonrpc_begin_request(&w, &line, ++s->id, method);
    if (params) {
        jsonrpc_params(&w);
        json_put_raw(&w, params->p, params->len);
    }
    jsonrpc_end(&w);
    s->asked = true;
    s->messages = 0;
    if (buf_ok(&line, "the request", e) < 0)
        return -1;
    return peer_send(s->peer, line.p, line.len, false, e);
}

static int
notify(struct mcp_session *s, const char *method, const struct buf *params,
       struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(PARAMS_MAX);
    struct json_writer w;

    jsonrpc_begin_notification(&w, &line, method);
    if (params) {
        jsonrpc_params(&w);
        json_put_raw(&w, params->p, params->len);
    }
    jsonrpc_end(&w);
    return peer_send(s->peer, line.p, line.len, false, e);
}

void
mcp_session_cancel(struct mcp_session *s, const char *why)
{
    CLEANUP_BUF struct buf params = buf_of(1024);
    struct json_writer w;

    if (s->over || !s->ready || !s->asked)
        return;
    json_write_init(&w, &params);
    json_open_object(&w);
    json_member_int(&w, "requestId", s->id);
    json_member_str(&w, "reason", why);
    json_close_object(&w);
    (void)notify(s, "notifications/cancelled", &params, NULL);
    peer_end_input(s->peer);
}

static int
greet(struct mcp_session *s, struct err *e)
{
    CLEANUP_BUF struct buf params = buf_of(1024);

    buf_str(&params, "{\"protocolVersion\":\"" MCP_VERSION "\","
                     "\"capabilities\":{\"roots\":{}},"
                     "\"clientInfo\":{\"name\":\"agentsh\",\"version\":"
                     "\"" PACKAGE_VERSION "\"}}");
    return mcp_session_ask(s, "initialize", &params, e);
}

static int
answer_request(struct mcp_session *s, const struct jsonrpc *m, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(PARAMS_MAX);
    bool ping = strcmp(m->method, "ping") == 0;
    struct json_writer w;

    if (ping || strcmp(m->method, "roots/list") == 0) {
        jsonrpc_begin_result(&w, &line, m->id);
        if (ping)
            json_put_raw(&w, "{}", 2);
        else
            json_put_raw(&w, s->roots.p, s->roots.len);
        jsonrpc_end(&w);
    } else {
        jsonrpc_put_error(&line, m->id, JSONRPC_NO_METHOD, "method not found");
    }
    return peer_send(s->peer, line.p, line.len, false, e);
}

static int
check_version(const struct json *result, struct err *e)
{
    static const char *const known[] = {"2024-11-05", "2025-03-26",
                                        "2025-06-18", MCP_VERSION};
    const char *version = json_get_str(result, "protocolVersion");

    for (size_t i = 0; version && i < sizeof(known) / sizeof(*known); i++)
        if (strcmp(version, known[i]) == 0)
            return 0;
    return err_set(e, ERR_PEER,
                   "uses protocol version %.40s, which is not supported",
                   version ? version : "(none)");
}

static int
take_greeting(struct mcp_session *s, const struct jsonrpc *m, struct err *e)
{
    const char *version = json_get_str(json_get(m->result, "serverInfo"),
                                       "version");

    if (m->kind == JSONRPC_ERROR)
        return err_set(e, ERR_PEER, "refused to initialize: %.160s",
                       m->message);
    if (check_version(m->result, e) < 0)
        return -1;
    snprintf(s->version, sizeof(s->version), "%s", version ? version : "-");
    s->ready = true;
    return notify(s, "notifications/initialized", NULL, e);
}

/* False: s is gone. */
static bool
tell(struct mcp_session *s, const struct jsonrpc *m)
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

static bool
take_answer(struct mcp_session *s, const struct jsonrpc *m)
{
    struct err why = {0};

    if (!m->id)
        err_set(&why, ERR_PEER, "could not read its request: %.160s",
                m->message);
    else if (!s->asked || !jsonrpc_has_id(m, s->id))
        err_set(&why, ERR_PEER, "responded to an unknown request (id %.40s)",
                m->id);
    s->asked = false;
    if (why.code == ERR_NONE && s->ready)
        return tell(s, m);
    if (why.code == ERR_NONE && take_greeting(s, m, &why) == 0)
        return tell(s, NULL);
    fail(s, &why);
    return false;
}

static bool
take_message(struct mcp_session *s, const struct jsonrpc *m)
{
    struct err why = {0};

    if (m->kind == JSONRPC_RESULT || m->kind == JSONRPC_ERROR)
        return take_answer(s, m);
    if (++s->messages > MCP_MESSAGES_MAX)
        err_set(&why, ERR_PEER, "sent more than %d messages", MCP_MESSAGES_MAX);
    else if (m->kind == JSONRPC_REQUEST)
        (void)answer_request(s, m, &why);
    else if (strcmp(m->method, "notifications/tools/list_changed") == 0)
        s->changed = true;
    else if (s->ev->notice)
        s->ev->notice(s->arg, m);
    if (why.code == ERR_NONE)
        return true;
    fail(s, &why);
    return false;
}

/* Every message is one object in a line. Some servers print their log there. */
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
        return take_message(s, &m);
    }
    if (!is_meant_as_message(line, n)) {
        s->skipped++;
        if (s->noise++ < MCP_NOISE_MAX)
            return true;
    }
    why.code = ERR_PEER;
    err_wrap(&why, "sent an invalid message");
    fail(s, &why);
    return false;
}

static void
on_closed(void *arg)
{
    (void)arg; /* how it ended is told next */
}

/* Programs whose work is to fetch another one. */
static bool
is_fetcher(const char *command)
{
    static const char *const names[] = {"npx",  "uvx",    "uv",     "bunx",
                                        "pnpx", "pnpm",   "yarn",   "pipx",
                                        "npm",  "docker", "podman", "deno"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(path_base(command), names[i]) == 0)
            return true;
    return false;
}

void
mcp_session_explain(const struct mcp_session *s, struct err *why)
{
    const struct mcp_entry *m = s->entry;

    if (s->ready || m->needs.network || !is_fetcher(m->argv[0]) ||
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

    if (why->code == ERR_NONE)
        (void)peer_explain(s->peer, why);
    mcp_session_explain(s, why);
    fail(s, why);
}

struct mcp_session *
mcp_session_new(struct loop *l, const struct mcp_entry *m,
                const struct launch *how, struct zygote_client *spare,
                const char *workspace, struct err *e)
{
    static const struct peer_events events = {
        .line = on_line, .closed = on_closed, .gone = on_gone};
    CLEANUP(mcp_session_free_p) struct mcp_session *s = calloc(1, sizeof(*s));
    struct launched started = {.report = -1};

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->entry = m;
    buf_init(&s->roots, MCP_ROOTS_MAX);
    mcp_roots_write(&m->needs, workspace, &s->roots);
    if (buf_ok(&s->roots, "its roots", e) < 0 ||
        launch_start(how, spare, &started, e) < 0 ||
        !(s->peer = peer_new(l, &started, e)))
        return NULL;
    peer_attend(s->peer, &events, s);
    return greet(s, e) < 0 ? NULL : TAKE_PTR(s);
}
