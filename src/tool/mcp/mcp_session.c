/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_session.c - an MCP server's process, and the session with it. */
#include "tool/mcp/mcp_session.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "base/str.h"
#include "json/write.h"

#define PARAMS_MAX (16u << 20) /* a request: as long as a line may be */

struct mcp_session {
    struct plugin_process *process;
    const struct mcp_server *entry;
    const struct mcp_session_events *ev;
    void *arg;
    struct buf roots; /* the answer to roots/list */
    int64_t id;       /* of the last request */
    bool asked;       /* the last request is not answered yet */
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
    plugin_process_free(s->process);
    buf_done(&s->roots);
    free(s);
}

void
mcp_session_terminate(struct mcp_session *s)
{
    plugin_process_terminate(s->process);
}

void
mcp_session_set_events(struct mcp_session *s,
                       const struct mcp_session_events *ev, void *arg)
{
    s->ev = ev;
    s->arg = arg;
}

int64_t
mcp_session_next_id(const struct mcp_session *s)
{
    return s->id + 1;
}

const char *
mcp_session_version(const struct mcp_session *s)
{
    return s->version;
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
    plugin_process_pause(s->process, true);
    s->ev->gone(s->arg, why);
}

int
mcp_session_request(struct mcp_session *s, const char *method,
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
    return plugin_process_send(s->process, line.p, line.len, false, e);
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

    if (s->over || !s->ready || !s->asked)
        return;
    json_write_init(&w, &params);
    json_open_object(&w);
    json_member_int(&w, "requestId", s->id);
    json_member_str(&w, "reason", why);
    json_close_object(&w);
    (void)send_notification(s, "notifications/cancelled", &params, NULL);
    plugin_process_end_input(s->process);
}

static int
send_initialize(struct mcp_session *s, struct err *e)
{
    CLEANUP_BUF struct buf params = buf_of(1024);

    buf_str(&params, "{\"protocolVersion\":\"" MCP_VERSION "\","
                     "\"capabilities\":{\"roots\":{}},"
                     "\"clientInfo\":{\"name\":\"agentsh\",\"version\":"
                     "\"" PACKAGE_VERSION "\"}}");
    return mcp_session_request(s, "initialize", &params, e);
}

static int
answer_server_request(struct mcp_session *s, const struct jsonrpc *m,
                      struct err *e)
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
        jsonrpc_put_error(&line, m->id, JSONRPC_NO_METHOD, "method not found",
                          NULL);
    }
    return plugin_process_send(s->process, line.p, line.len, false, e);
}

static int
check_version(const struct json *result, struct err *e)
{
    static const char *const known[] = {"2024-11-05", "2025-03-26",
                                        "2025-06-18", MCP_VERSION};
    const char *version = json_get_str(result, "protocolVersion");

    for (size_t i = 0; version && i < ARRAY_SIZE(known); i++)
        if (strcmp(version, known[i]) == 0)
            return 0;
    return err_set(e, ERR_PEER,
                   "uses protocol version %.40s, which is not supported",
                   version ? version : "(none)");
}

static int
read_initialize(struct mcp_session *s, const struct jsonrpc *m, struct err *e)
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
    return send_notification(s, "notifications/initialized", NULL, e);
}

/* Calls back. False: s was freed. */
static bool
deliver(struct mcp_session *s, const struct jsonrpc *m)
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
on_response(struct mcp_session *s, const struct jsonrpc *m)
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
        return deliver(s, m);
    if (why.code == ERR_NONE && read_initialize(s, m, &why) == 0)
        return deliver(s, NULL);
    fail_session(s, &why);
    return false;
}

static bool
on_message(struct mcp_session *s, const struct jsonrpc *m)
{
    struct err why = {0};

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
    if (why.code == ERR_NONE)
        return true;
    fail_session(s, &why);
    return false;
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
    fail_session(s, &why);
    return false;
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
        (void)plugin_process_explain(s->process, why);
    mcp_session_explain(s, why);
    fail_session(s, why);
}

struct mcp_session *
mcp_session_new(struct loop *l, const struct mcp_server *m,
                const struct spawn *how, struct zygote_client *zygote,
                const char *workspace, struct err *e)
{
    static const struct plugin_process_events events = {
        .line = on_line, .closed = on_closed, .gone = on_gone};
    CLEANUP(mcp_session_free_p) struct mcp_session *s = calloc(1, sizeof(*s));
    struct spawned started = {.report = -1};

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->entry = m;
    buf_init(&s->roots, MCP_ROOTS_MAX);
    mcp_session_write_roots(m->seat, &m->needs, workspace, &s->roots);
    if (buf_ok(&s->roots, "its roots", e) < 0 ||
        spawn_start(how, zygote, &started, e) < 0 ||
        !(s->process = plugin_process_new(l, &started, e)))
        return NULL;
    plugin_process_set_events(s->process, &events, s);
    return send_initialize(s, e) < 0 ? NULL : TAKE_PTR(s);
}

/* Sets a variable of the entry, or replaces the one of that name. */
static void
replace_variable(char **env, size_t *n, char *variable)
{
    size_t len = strcspn(variable, "=") + 1;

    for (size_t i = 0; i < *n; i++) {
        if (strncmp(env[i], variable, len) == 0) {
            free(env[i]);
            env[i] = variable;
            return;
        }
    }
    env[(*n)++] = variable;
    env[*n] = NULL;
}

static int
add_env(struct spawn *l, const struct mcp_server *m, struct err *e)
{
    size_t n = 0, more = 0;
    char **grown;

    while (l->env[n])
        n++;
    while (m->env[more])
        more++;
    grown = reallocarray(l->env, n + more + 1, sizeof(*grown));
    if (!grown)
        return err_nomem(e);
    l->env = grown;
    for (size_t i = 0; i < more; i++) {
        char *variable = strdup(m->env[i]);

        if (!variable)
            return err_nomem(e);
        replace_variable(l->env, &n, variable);
    }
    return 0;
}

int
mcp_session_prepare(struct spawn *l, const struct mcp_server *m,
                    const struct tool_setting *s, struct err *e)
{
    const char *argv[MCP_WORDS_MAX + 2];
    CLEANUP(free_p) char *program = mcp_config_program(m, e);
    size_t n = 1;

    *l = (struct spawn){0};
    if (!program)
        return -1;
    for (argv[0] = program; m->argv[n]; n++)
        argv[n] = m->argv[n];
    argv[n] = NULL;
    if (spawn_prepare(l, argv, s, e) < 0)
        return -1;
    l->cwd = m->cwd;
    return add_env(l, m, e);
}

/* Writes a path as a file URL (RFC 8089). */
static void
put_file_url(struct json_writer *w, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789-._~/";
    CLEANUP_BUF struct buf text = buf_of(MCP_ROOTS_MAX);

    buf_str(&text, "file://");
    for (const char *p = path; *p; p++) {
        if (strchr(plain, *p))
            buf_ch(&text, *p);
        else
            buf_printf(&text, "%%%02X", (unsigned char)*p);
    }
    json_put_str(w, text.p);
}

static void
put_root(const struct seat *s, struct json_writer *w, const char *need,
         const char *workspace)
{
    bool here = strcmp(need, "workspace") == 0;
    CLEANUP(free_p)
    char *path = !here       ? seat_expand_home(s, need)
                 : workspace ? strdup(workspace)
                             : NULL;

    if (!path)
        return;
    json_open_object(w);
    json_key(w, "uri");
    put_file_url(w, path);
    json_member_str(w, "name", path_base(path));
    json_close_object(w);
}

void
mcp_session_write_roots(const struct seat *s, const struct manifest_needs *n,
                        const char *workspace, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "roots");
    json_open_array(&w);
    for (size_t i = 0; n->write[i]; i++)
        put_root(s, &w, n->write[i], workspace);
    for (size_t i = 0; n->read[i]; i++)
        if (!str_in_words(n->read[i], n->write))
            put_root(s, &w, n->read[i], workspace);
    json_close_array(&w);
    json_close_object(&w);
}
