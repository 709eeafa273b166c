/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discovery.c - discovers model servers on this machine. */
#include "model/discovery.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "model/discovery_cache.h"
#include "model/process_pipe.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "json/write.h"

/* The part of the limit in which the process reports the lists. */
#define REPORT_MS   10
#define POLL_MS     25 /* between looks for a server that is starting */
#define QUERY_MAX   (16u << 10) /* a few URLs */
#define SOCKETS_MAX 256

/* A kind of server. base and lists are paths below its origin. */
struct server_kind {
    const char *title, *provider;
    const char *origin;   /* scheme, address and usual port */
    const char *base;     /* of the provider's base URL */
    const char *lists[2]; /* the first lists the models */
    bool single;          /* a model that is listed alone is loaded */
};

/* In order of preference. */
static const struct server_kind server_kinds[DISCOVERY_SERVERS_MAX] = {
    {"Ollama",
     "ollama",
     "http://127.0.0.1:11434",
     "",
     {"/api/tags", "/api/ps"},
     false},
    {"llama-server",
     "openai",
     "http://127.0.0.1:8080",
     "/v1",
     {"/v1/models", NULL},
     true},
    {"LM Studio",
     "openai",
     "http://127.0.0.1:1234",
     "/v1",
     {"/v1/models", "/api/v0/models"},
     false},
    {"vLLM",
     "openai",
     "http://127.0.0.1:8000",
     "/v1",
     {"/v1/models", NULL},
     true},
};

struct discovery_search {
    const char *origins[DISCOVERY_SERVERS_MAX];
    char *ollama; /* the local URL in OLLAMA_HOST; NULL: none */
    struct tcp_listener sockets[DISCOVERY_SERVERS_MAX];
    bool sockets_known;                    /* the kernel listed the listeners */
    size_t kind_of[DISCOVERY_SERVERS_MAX]; /* of out->v[i] */
    struct json *answer;
    bool finished;
    int64_t end; /* on the monotonic clock, which all processes share */
};

static void
search_done(struct discovery_search *s)
{
    free(s->ollama);
    json_free(s->answer);
}

void
discovery_done(struct discovery *d)
{
    for (size_t i = 0; d && i < d->n; i++)
        model_list_done(&d->v[i].models);
}

/* Accepts numeric addresses and "localhost" alone: any other name may resolve
 * to any address. */
bool
discovery_is_local(const char *url)
{
    const char *host = strstr(url, "://");
    size_t n;

    if (!host)
        return false;
    host += 3;
    n = strcspn(host, ":/");
    if (strncmp(host, "[::1]", 5) == 0)
        return host[5] == ':' || host[5] == '/' || !host[5];
    if (n == 9 && strncmp(host, "localhost", 9) == 0)
        return true;
    return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == n;
}

/* Writes "localhost" as 127.0.0.1: it may resolve to [::1] too, where another
 * server may listen. */
static void
read_ollama_host(struct discovery_search *s)
{
    const char *host = getenv("OLLAMA_HOST");
    char *url = host && *host ? provider_base_url(provider_ollama(),
                                                  "OLLAMA_HOST", host, NULL)
                              : NULL;

    if (url && discovery_is_local(url) &&
        strlen(url) < DISCOVERY_URL_SIZE - 8) {
        char *at = strstr(url, "://") + 3;

        if (*at == 'l')
            memcpy(at, "127.0.0.1", 9); /* the same length */
        s->ollama = url;
    } else {
        free(url);
    }
}

static int
url_port(const char *origin)
{
    const char *host = strstr(origin, "://") + 3;
    const char *colon = strchr(*host == '[' ? strchr(host, ']') : host, ':');

    if (colon)
        return (int)strtol(colon + 1, NULL, 10);
    return strncmp(origin, "https", 5) == 0 ? 443 : 80;
}

static bool
is_usable(const struct discovery_params *p, enum server_consent consent)
{
    if (p->afresh)
        return true;
    return consent == SERVER_CONSENT_YES ||
           (consent == SERVER_CONSENT_NOT_ASKED && p->can_ask);
}

static void
list_sockets(struct discovery_search *s)
{
    read_ollama_host(s);
    for (size_t i = 0; i < DISCOVERY_SERVERS_MAX; i++) {
        s->origins[i] = i == 0 && s->ollama ? s->ollama
                                            : server_kinds[i].origin;
        s->sockets[i].port = url_port(s->origins[i]);
    }
    s->sockets_known = tcp_listeners_find(s->sockets, DISCOVERY_SERVERS_MAX);
}

/* Lists the servers whose port has a listener. */
static void
list_servers(struct discovery_search *s, const struct discovery_params *p,
             struct discovery *out)
{
    list_sockets(s);
    for (size_t i = 0; i < DISCOVERY_SERVERS_MAX; i++) {
        const struct server_kind *kind = &server_kinds[i];
        struct discovery_server *v = &out->v[out->n];

        if (s->sockets_known && s->sockets[i].near == 0)
            continue;
        v->provider = provider_find(kind->provider);
        v->title = kind->title;
        v->uid = s->sockets_known ? s->sockets[i].uid
                                  : TCP_LISTENER_UID_UNKNOWN;
        snprintf(v->url, sizeof(v->url), "%s%s", s->origins[i], kind->base);
        v->consent = server_consent_load(v->url, v->uid);
        if (is_usable(p, v->consent))
            s->kind_of[out->n++] = i;
    }
}

/* Writes the ports and inodes of the sockets: "11434:8123 8080:977 ". */
static void
format_sockets(const struct discovery_search *s, const struct discovery *d,
               char text[SOCKETS_MAX])
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < d->n; i++) {
        const struct tcp_listener *v = &s->sockets[s->kind_of[i]];

        n += (size_t)snprintf(text + n, SOCKETS_MAX - n, "%d:%lu ", v->port,
                              (unsigned long)v->inode);
    }
}

static void
write_query(const struct discovery_search *s, const struct discovery *d,
            struct buf *b)
{
    struct json_writer w;

    json_write_init(&w, b);
    json_open_object(&w);
    json_key(&w, "probe");
    json_open_object(&w);
    json_member_int(&w, "id", 0);
    json_member_int(&w, "until", s->end - REPORT_MS);
    json_key(&w, "lists");
    json_open_array(&w);
    for (size_t i = 0; i < d->n; i++) {
        const struct server_kind *kind = &server_kinds[s->kind_of[i]];

        for (size_t k = 0; k < 2 && kind->lists[k]; k++) {
            char url[2 * DISCOVERY_URL_SIZE];

            snprintf(url, sizeof(url), "%s%s", s->origins[s->kind_of[i]],
                     kind->lists[k]);
            json_put_str(&w, url);
        }
    }
    json_close_array(&w);
    json_close_object(&w);
    json_close_object(&w);
    buf_ch(b, '\n');
}

static void
on_line(void *arg, const char *line, size_t n)
{
    struct discovery_search *s = arg;

    if (!s->answer)
        s->answer = json_parse(line, n, 0, NULL);
    s->finished = true;
}

static void
on_gone(void *arg, int status)
{
    struct discovery_search *s = arg;

    (void)status;
    s->finished = true;
}

/* Asks all servers at once, through the model process, which may connect. */
static void
ask_servers(struct discovery_search *s, const struct discovery *d)
{
    static const struct process_pipe_events events = {on_line, on_gone};
    CLEANUP_BUF struct buf b = buf_of(QUERY_MAX);
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(process_pipe_free_p) struct process_pipe *pipe = NULL;
    int64_t left;

    write_query(s, d, &b);
    pipe = l ? process_pipe_start(l, &events, s, NULL) : NULL;
    if (!pipe || process_pipe_send(pipe, &b, NULL) < 0)
        return;
    while (!s->finished && (left = s->end - clock_ms()) > 0) {
        if (loop_turn(l, (int)left, NULL) < 0)
            return;
    }
}

static bool
list_has_model(const struct model_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(l->v[i].name, name) == 0)
            return true;
    }
    return false;
}

static void
read_lists(const struct server_kind *kind, const struct json *first,
           const struct json *second, struct discovery_server *v)
{
    int64_t memory = model_rank_memory_bytes();
    const struct model_info *best;

    if (!json_get(first, "list"))
        return;
    v->answered = true;
    (void)json_int(json_get(first, "ms"), &v->ms);
    (void)model_list_read(json_get(first, "list"), kind->single, &v->models,
                          NULL);
    /* Ollama's second list has the running models, LM Studio's the types */
    if (v->provider == provider_ollama())
        model_list_mark_loaded(json_get(second, "list"), &v->models);
    else
        (void)model_list_read(json_get(second, "list"), false, &v->models,
                              NULL);
    best = model_rank_best(&v->models, memory);
    if (!best)
        return;
    snprintf(v->model, sizeof(v->model), "%s", best->name);
    model_rank_reason(best, memory, v->reason);
}

static void
read_answer(const struct discovery_search *s, struct discovery *out)
{
    const struct json *v = json_first(json_get(s->answer, "servers"));

    for (size_t i = 0; v && i < out->n; i++) {
        const struct server_kind *kind = &server_kinds[s->kind_of[i]];
        const struct json *more = kind->lists[1] ? json_next(v) : NULL;

        read_lists(kind, v, more, &out->v[i]);
        v = json_next(more ? more : v);
    }
}

/* Moves the first server that has the named model to the front. */
static void
put_named_first(const char *name, struct discovery *out)
{
    for (size_t i = 1; i < out->n; i++) {
        struct discovery_server v = out->v[i];

        if (list_has_model(&out->v[0].models, name) ||
            !list_has_model(&v.models, name))
            continue;
        memmove(&out->v[1], &out->v[0], i * sizeof(v));
        out->v[0] = v;
        return;
    }
}

void
discovery_run(const struct discovery_params *p, struct discovery *out)
{
    CLEANUP(search_done) struct discovery_search s = {0};
    int64_t begun = clock_ms();
    char sockets[SOCKETS_MAX];

    *out = (struct discovery){0};
    s.end = begun + p->limit_ms;
    list_servers(&s, p, out);
    if (out->n == 0)
        return;
    format_sockets(&s, out, sockets);
    if (!p->afresh && discovery_cache_load(sockets, p->model, out) == 0) {
        out->cached = true;
    } else {
        ask_servers(&s, out);
        read_answer(&s, out);
        if (p->model)
            put_named_first(p->model, out);
        discovery_cache_store(sockets, p->model, out);
    }
    out->ms = clock_ms() - begun;
}

static const struct discovery_server *
find_server_at(const struct discovery *d, const char *url)
{
    for (size_t i = 0; i < d->n; i++) {
        if (strcmp(d->v[i].url, url) == 0)
            return &d->v[i];
    }
    return NULL;
}

/* Why the i-th server does not answer; DISCOVERY_PRESENT: it does, or nobody
 * expects it. */
static enum discovery_absence
absence_of(const struct discovery_search *s, size_t i,
           const struct discovery_params *p, const struct discovery *d,
           struct discovery_missing *m)
{
    bool listens = !s->sockets_known || s->sockets[i].near > 0;
    uid_t uid = s->sockets_known && listens ? s->sockets[i].uid
                                            : TCP_LISTENER_UID_UNKNOWN;
    enum server_consent consent = server_consent_load(m->url, uid);
    const struct discovery_server *v = find_server_at(d, m->url);

    m->has_consent = consent == SERVER_CONSENT_YES;
    if (!m->has_consent &&
        (i > 0 || !s->ollama || consent == SERVER_CONSENT_NO))
        return DISCOVERY_PRESENT;
    if (!listens)
        return DISCOVERY_NOT_THERE;
    if (!m->has_consent)
        return p->can_ask ? DISCOVERY_PRESENT : DISCOVERY_UNAPPROVED;
    if (!v || (!v->answered && !v->model[0]))
        return DISCOVERY_SILENT;
    return v->model[0] ? DISCOVERY_PRESENT : DISCOVERY_NO_MODEL;
}

/* Finds the first server that is missing; one that was agreed to goes before
 * one that is only named. */
static void
find_missing_server(const struct discovery_params *p, const struct discovery *d,
                    struct discovery_missing *missing)
{
    CLEANUP(search_done) struct discovery_search s = {0};

    list_sockets(&s);
    for (size_t i = 0; i < DISCOVERY_SERVERS_MAX && !missing->has_consent;
         i++) {
        struct discovery_missing m = {.title = server_kinds[i].title};

        snprintf(m.url, sizeof(m.url), "%s%s", s.origins[i],
                 server_kinds[i].base);
        m.why = absence_of(&s, i, p, d, &m);
        if (m.why != DISCOVERY_PRESENT && (m.has_consent || !missing->why))
            *missing = m;
    }
}

/* Waits until somebody listens at its port, so that it can be asked. */
static bool
wait_for_listener(const struct discovery_missing *m, int64_t end)
{
    struct tcp_listener socket = {.port = url_port(m->url)};
    int64_t left;

    while ((left = end - clock_ms()) > 0) {
        (void)poll(NULL, 0, left < POLL_MS ? (int)left : POLL_MS);
        if (!tcp_listeners_find(&socket, 1) || socket.near > 0)
            return clock_ms() < end;
    }
    return false;
}

static bool
has_agreed(const struct discovery *d)
{
    const struct discovery_server *v = discovery_best(d);

    return v && v->consent == SERVER_CONSENT_YES;
}

void
discovery_wait(const struct discovery_params *p, struct discovery *out,
               struct discovery_missing *missing)
{
    int64_t end = clock_ms() + DISCOVERY_WAIT_MS;
    struct discovery_params now = *p;

    for (;;) {
        discovery_run(&now, out);
        *missing = (struct discovery_missing){0};
        if (has_agreed(out))
            return;
        find_missing_server(p, out, missing);
        if (!missing->has_consent || missing->why == DISCOVERY_NO_MODEL ||
            !wait_for_listener(missing, end))
            return;
        discovery_done(out);
        discovery_cache_drop();
        now.limit_ms = end - clock_ms();
    }
}

void
discovery_missing_text(const struct discovery_missing *m, char *text,
                       size_t size)
{
    static const char *const whys[] = {
        [DISCOVERY_PRESENT] = "answers",
        [DISCOVERY_NOT_THERE] = "is not there",
        [DISCOVERY_SILENT] = "does not answer",
        [DISCOVERY_NO_MODEL] = "has no model that can answer",
        [DISCOVERY_UNAPPROVED] = "was not approved, which needs a terminal",
    };
    char host[DISCOVERY_URL_SIZE];

    provider_url_host(m->url, host, sizeof(host));
    snprintf(text, size, "%s at %s %s", m->title, host, whys[m->why]);
}

const struct discovery_server *
discovery_best(const struct discovery *d)
{
    const struct discovery_server *best = NULL;

    for (size_t i = 0; i < d->n; i++) {
        const struct discovery_server *v = &d->v[i];

        if (!v->model[0] || v->consent == SERVER_CONSENT_NO)
            continue;
        if (v->consent == SERVER_CONSENT_YES)
            return v;
        best = best ? best : v;
    }
    return best;
}

const char *
discovery_provider(const struct discovery_server *s)
{
    return s->provider->name;
}
