/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - agentsh-model: the program that has the API key and talks to the
 * provider. It reads the front's lines from standard input until the front
 * ends. It can neither execute a program nor write a file. */
#include <curl/curl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fd.h"
#include "base/linebuf.h"
#include "base/sha256.h"
#include "model/process/events.h"
#include "model/process/list_models.h"
#include "model/process/provider_query.h"
#include "sandbox/confine.h"

#define SALT_SIZE 16
#define OWNER_MAX (32u << 10) /* URL, path and key have 8 KiB each at most */

struct session {
    struct loop *loop;
    struct curl_loop *curl;
    struct linebuf *in;
    struct provider_query *query;
    struct list_models *lists;
    char owner[SHA256_HEX_SIZE]; /* of the open connections; "": none yet */
    char salt[SALT_SIZE];
    struct err why; /* why the session ends; ERR_NONE: the front ended */
};

static void
session_done(struct session *s)
{
    provider_query_free(s->query);
    list_models_free(s->lists);
    curl_loop_free(s->curl);
    linebuf_free(s->in);
    loop_free(s->loop);
}

static void
on_query_end(void *arg)
{
    struct session *s = arg;

    provider_query_free(s->query);
    s->query = NULL;
    linebuf_wipe(s->in); /* the query had the key; the process may stay */
}

static void
on_data(void *arg)
{
    struct session *s = arg;

    if (s->query)
        provider_query_flush(s->query);
}

static void
on_lists_end(void *arg)
{
    struct session *s = arg;

    list_models_free(s->lists);
    s->lists = NULL;
}

/* Connections that were opened for one key, or with other CA certificates, are
 * not used for another. The key itself is not kept, only a hash that nobody
 * else can make. */
static int
own_connections(struct session *s, const struct ipc_query *q, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of_secret(OWNER_MAX);
    char owner[SHA256_HEX_SIZE];

    buf_add(&b, s->salt, sizeof(s->salt));
    buf_printf(&b, "%s\n%s\n%s", q->request.url, q->ca_file ? q->ca_file : "",
               q->key ? q->key : "");
    if (buf_ok(&b, "the query", e) < 0)
        return -1;
    sha256_hex(b.p, b.len, owner);
    if (s->owner[0] && strcmp(s->owner, owner) != 0) {
        struct curl_loop *fresh = curl_loop_new(s->loop, on_data, s, e);

        if (!fresh)
            return -1;
        curl_loop_free(s->curl);
        s->curl = fresh;
    }
    memcpy(s->owner, owner, sizeof(owner));
    return 0;
}

static int
handle_query(struct session *s, struct json *root, struct err *e)
{
    struct ipc_parsed_query *q = ipc_parsed_query_new(root, e);

    if (!q)
        return -1;
    if (s->query) {
        ipc_parsed_query_free(q);
        return err_set(e, ERR_PEER, "a request before the previous one ended");
    }
    if (!s->lists && own_connections(s, &q->query, e) < 0) {
        ipc_parsed_query_free(q);
        return -1;
    }
    s->query = provider_query_start(s->loop, s->curl, q, on_query_end, s, e);
    return s->query ? 0 : -1;
}

static int
handle_line(struct session *s, const char *line, size_t n, struct err *e)
{
    struct json *root = json_parse(line, n, JSON_UNIQUE, e);
    const struct json *v;
    int64_t id;

    if (!root)
        return -1;
    if (json_get(root, "ask"))
        return handle_query(s, root, e);
    v = json_get(root, "probe");
    if (v && !s->lists) {
        s->lists = list_models_start(s->loop, s->curl, v, on_lists_end, s, e);
    } else if (json_int(json_get(root, "cancel"), &id)) {
        if (s->query && provider_query_id(s->query) == id)
            provider_query_cancel(s->query);
    }
    json_free(root);
    return 0;
}

static void
on_input(void *arg, unsigned events)
{
    struct session *s = arg;
    const char *line;
    size_t len;
    struct err e = {0};
    long n = linebuf_read(s->in, STDIN_FILENO, &e);

    (void)events;
    if (n < 0 && e.sys == EAGAIN)
        return;
    while (n > 0 && (line = linebuf_next(s->in, &len)) != NULL) {
        if (handle_line(s, line, len, &e) < 0)
            n = -1;
    }
    if (n > 0)
        return;
    s->why = e;
    loop_stop(s->loop);
}

/* Reads standard input to its end. -1: the loop could not run, or the front
 * broke the protocol. */
static int
run_session(struct err *e)
{
    CLEANUP(session_done) struct session s = {0};

    (void)!getrandom(s.salt, sizeof(s.salt), 0);
    s.loop = loop_new(e);
    s.curl = s.loop ? curl_loop_new(s.loop, on_data, &s, e) : NULL;
    s.in = linebuf_new(IPC_LINE_MAX, e);
    if (!s.curl || !s.in || fd_set_nonblock(STDIN_FILENO, true, e) < 0 ||
        !loop_fd(s.loop, STDIN_FILENO, LOOP_READ, on_input, &s, e) ||
        loop_run(s.loop, e) < 0)
        return -1;
    *e = s.why;
    return e->code == ERR_NONE ? 0 : -1;
}

int
main(void)
{
    struct err e = {0};

    if (fd_fill_standard(&e) < 0)
        return err_exit_status(e.code);
    signal(SIGPIPE, SIG_IGN);
    /* no other process may read the key in our memory */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (confine_model(&e) < 0 || curl_global_init(CURL_GLOBAL_DEFAULT) != 0 ||
        run_session(&e) < 0) {
        if (e.code == ERR_NONE)
            err_set(&e, ERR_MODEL, "libcurl cannot start");
        events_write_failed(0, &e, NULL); /* 0: not about a query */
        return err_exit_status(e.code);
    }
    curl_global_cleanup();
    return 0;
}
