/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discovery.c - discovers model servers on this machine. */
#include "model/discovery.h"

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

/* Where the kinds of servers would listen, and who does. */
struct server_sockets {
    const char *origins[DISCOVERY_SERVERS_MAX];
    char *ollama; /* the local URL in OLLAMA_HOST; NULL: none */
    struct tcp_listener v[DISCOVERY_SERVERS_MAX];
    bool known; /* the kernel listed the listeners */
};

/* What the timer of a search is for. */
enum search_state {
    SEARCH_BEGINS,
    SEARCH_ASKS, /* its deadline */
    SEARCH_WAITS /* the next look for a server that is starting */
};

struct discovery_search {
    struct loop *loop;
    const struct seat *seat;
    struct model_dirs dirs;
    struct discovery_params params;
    discovery_cb *cb;
    void *arg;
    enum search_state state;
    struct watch *timer;
    int64_t wait_end;
    struct discovery_missing missing;
    /* of one round, in which all servers are asked */
    int64_t begun;
    int64_t end; /* on the monotonic clock, which all processes share */
    struct server_sockets sockets;
    char sockets_text[SOCKETS_MAX];
    struct discovery found;
    size_t kind_of[DISCOVERY_SERVERS_MAX]; /* of found.v[i] */
    struct process_pipe *pipe;             /* NULL: no process runs */
};

static void
server_sockets_done(struct server_sockets *k)
{
    free(k->ollama);
    k->ollama = NULL;
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
read_ollama_host(const struct seat *seat, struct server_sockets *k)
{
    const char *host = seat_variable(seat, "OLLAMA_HOST");
    char *url = host && *host ? provider_base_url(provider_ollama(),
                                                  "OLLAMA_HOST", host, NULL)
                              : NULL;

    if (url && discovery_is_local(url) &&
        strlen(url) < DISCOVERY_URL_SIZE - 8) {
        char *at = strstr(url, "://") + 3;

        if (*at == 'l')
            memcpy(at, "127.0.0.1", 9); /* the same length */
        k->ollama = url;
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
list_sockets(const struct seat *seat, struct server_sockets *k)
{
    *k = (struct server_sockets){0};
    read_ollama_host(seat, k);
    for (size_t i = 0; i < DISCOVERY_SERVERS_MAX; i++) {
        k->origins[i] = i == 0 && k->ollama ? k->ollama
                                            : server_kinds[i].origin;
        k->v[i].port = url_port(k->origins[i]);
    }
    k->known = tcp_listeners_find(k->v, DISCOVERY_SERVERS_MAX);
}

static uid_t
listener_uid(const struct server_sockets *k, size_t i)
{
    return k->known && k->v[i].near > 0 ? k->v[i].uid
                                        : TCP_LISTENER_UID_UNKNOWN;
}

/* Lists the servers whose port has a listener. */
static void
list_servers(struct discovery_search *s)
{
    struct discovery *out = &s->found;

    for (size_t i = 0; i < DISCOVERY_SERVERS_MAX; i++) {
        const struct server_kind *kind = &server_kinds[i];
        struct discovery_server *v = &out->v[out->n];

        if (s->sockets.known && s->sockets.v[i].near == 0)
            continue;
        v->provider = provider_find(kind->provider);
        v->title = kind->title;
        v->uid = listener_uid(&s->sockets, i);
        snprintf(v->url, sizeof(v->url), "%s%s", s->sockets.origins[i],
                 kind->base);
        v->consent = server_consent_load(&s->dirs, v->url, v->uid);
        if (is_usable(&s->params, v->consent))
            s->kind_of[out->n++] = i;
    }
}

/* Writes the ports and inodes of the sockets: "11434:8123 8080:977 ". */
static void
format_sockets(struct discovery_search *s)
{
    size_t n = 0;

    s->sockets_text[0] = '\0';
    for (size_t i = 0; i < s->found.n; i++) {
        const struct tcp_listener *v = &s->sockets.v[s->kind_of[i]];

        n += (size_t)snprintf(s->sockets_text + n, SOCKETS_MAX - n, "%d:%lu ",
                              v->port, (unsigned long)v->inode);
    }
}

static void
write_query(const struct discovery_search *s, struct buf *b)
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
    for (size_t i = 0; i < s->found.n; i++) {
        const struct server_kind *kind = &server_kinds[s->kind_of[i]];

        for (size_t k = 0; k < 2 && kind->lists[k]; k++) {
            char url[2 * DISCOVERY_URL_SIZE];

            snprintf(url, sizeof(url), "%s%s",
                     s->sockets.origins[s->kind_of[i]], kind->lists[k]);
            json_put_str(&w, url);
        }
    }
    json_close_array(&w);
    json_close_object(&w);
    json_close_object(&w);
    buf_ch(b, '\n');
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
read_answer(struct discovery_search *s, const struct json *answer)
{
    const struct json *v = json_first(json_get(answer, "servers"));

    for (size_t i = 0; v && i < s->found.n; i++) {
        const struct server_kind *kind = &server_kinds[s->kind_of[i]];
        const struct json *more = kind->lists[1] ? json_next(v) : NULL;

        read_lists(kind, v, more, &s->found.v[i]);
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
absence_of(const struct discovery_search *s, const struct server_sockets *k,
           size_t i, struct discovery_missing *m)
{
    bool listens = !k->known || k->v[i].near > 0;
    enum server_consent consent = server_consent_load(&s->dirs, m->url,
                                                      listener_uid(k, i));
    const struct discovery_server *v = find_server_at(&s->found, m->url);

    m->has_consent = consent == SERVER_CONSENT_YES;
    if (!m->has_consent &&
        (i > 0 || !k->ollama || consent == SERVER_CONSENT_NO))
        return DISCOVERY_PRESENT;
    if (!listens)
        return DISCOVERY_NOT_THERE;
    if (!m->has_consent)
        return s->params.can_ask ? DISCOVERY_PRESENT : DISCOVERY_UNAPPROVED;
    if (!v || (!v->answered && !v->model[0]))
        return DISCOVERY_SILENT;
    return v->model[0] ? DISCOVERY_PRESENT : DISCOVERY_NO_MODEL;
}

/* Finds the first server that is missing; one that was agreed to goes before
 * one that is only named. */
static void
find_missing_server(struct discovery_search *s)
{
    CLEANUP(server_sockets_done) struct server_sockets now;
    struct discovery_missing *missing = &s->missing;

    list_sockets(s->seat, &now);
    for (size_t i = 0; i < DISCOVERY_SERVERS_MAX && !missing->has_consent;
         i++) {
        struct discovery_missing m = {.title = server_kinds[i].title};

        snprintf(m.url, sizeof(m.url), "%s%s", now.origins[i],
                 server_kinds[i].base);
        m.why = absence_of(s, &now, i, &m);
        if (m.why != DISCOVERY_PRESENT && (m.has_consent || !missing->why))
            *missing = m;
    }
}

static bool
has_agreed(const struct discovery *d)
{
    const struct discovery_server *v = discovery_best(d);

    return v && v->consent == SERVER_CONSENT_YES;
}

/* The last that is done with s: the callback may free it. */
static void
report_servers(struct discovery_search *s)
{
    struct discovery found = s->found;

    watch_stop(s->timer);
    s->found = (struct discovery){0};
    s->cb(s->arg, &found, &s->missing);
}

/* Looks for the missing server again in a while, unless its time is over. */
static void
wait_for_server(struct discovery_search *s)
{
    int64_t left = s->wait_end - clock_ms();

    if (left <= 0) {
        report_servers(s);
        return;
    }
    s->state = SEARCH_WAITS;
    watch_again(s->timer, left < POLL_MS ? left : POLL_MS);
}

static void
end_round(struct discovery_search *s)
{
    if (s->found.n > 0)
        s->found.ms = clock_ms() - s->begun;
    s->missing = (struct discovery_missing){0};
    if (s->params.wait && !has_agreed(&s->found))
        find_missing_server(s);
    if (s->missing.has_consent && s->missing.why != DISCOVERY_NO_MODEL)
        wait_for_server(s);
    else
        report_servers(s);
}

/* All have answered, or will not; answer may be NULL. */
static void
end_asking(struct discovery_search *s, const struct json *answer)
{
    process_pipe_free(s->pipe);
    s->pipe = NULL;
    watch_stop(s->timer);
    read_answer(s, answer);
    if (s->params.model)
        put_named_first(s->params.model, &s->found);
    discovery_cache_store(&s->dirs, s->sockets_text, s->params.model,
                          &s->found);
    end_round(s);
}

static void
on_servers_line(void *arg, const char *line, size_t n)
{
    CLEANUP(json_free_p) struct json *answer = json_parse(line, n, 0, NULL);

    end_asking(arg, answer);
}

static void
on_process_gone(void *arg, int status)
{
    (void)status;
    end_asking(arg, NULL);
}

/* Asks all servers at once, through a model process, which may connect. */
static void
ask_servers(struct discovery_search *s)
{
    static const struct process_pipe_events events = {on_servers_line,
                                                      on_process_gone};
    CLEANUP_BUF struct buf b = buf_of(QUERY_MAX);

    write_query(s, &b);
    s->pipe = process_pipe_start(s->loop, seat_variables(s->seat), &events, s,
                                 NULL);
    if (!s->pipe || process_pipe_send(s->pipe, &b, NULL) < 0) {
        end_asking(s, NULL);
        return;
    }
    s->state = SEARCH_ASKS;
    watch_again(s->timer, s->end - clock_ms());
}

static void
begin_round(struct discovery_search *s, int64_t limit_ms)
{
    const struct discovery_params *p = &s->params;

    discovery_done(&s->found);
    server_sockets_done(&s->sockets);
    s->found = (struct discovery){0};
    s->begun = clock_ms();
    s->end = s->begun + limit_ms;
    list_sockets(s->seat, &s->sockets);
    list_servers(s);
    format_sockets(s);
    s->found.cached = s->found.n > 0 && !p->afresh &&
                      discovery_cache_load(&s->dirs, s->sockets_text, p->model,
                                           &s->found) == 0;
    if (s->found.n == 0 || s->found.cached)
        end_round(s);
    else
        ask_servers(s);
}

/* Whether somebody listens at its port, so that it can be asked. */
static bool
missing_listens(const struct discovery_missing *m)
{
    struct tcp_listener socket = {.port = url_port(m->url)};

    return !tcp_listeners_find(&socket, 1) || socket.near > 0;
}

static void
on_search_timer(void *arg, unsigned events)
{
    struct discovery_search *s = arg;
    int64_t left = s->wait_end - clock_ms();

    (void)events;
    if (s->state == SEARCH_BEGINS) {
        begin_round(s, s->params.limit_ms);
    } else if (s->state == SEARCH_ASKS) {
        end_asking(s, NULL);
    } else if (left > 0 && missing_listens(&s->missing)) {
        discovery_cache_drop(&s->dirs);
        begin_round(s, left);
    } else {
        wait_for_server(s);
    }
}

struct discovery_search *
discovery_start(struct loop *l, const struct seat *seat,
                const struct discovery_params *p, discovery_cb *cb, void *arg,
                struct err *e)
{
    struct discovery_search *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct discovery_search){.loop = l,
                                   .seat = seat,
                                   .params = *p,
                                   .cb = cb,
                                   .arg = arg,
                                   .wait_end = clock_ms() + DISCOVERY_WAIT_MS};
    model_dirs_init(&s->dirs, seat);
    if (!(s->timer = loop_soon(l, on_search_timer, s, e))) {
        discovery_search_free(s);
        return NULL;
    }
    return s;
}

void
discovery_search_free(struct discovery_search *s)
{
    if (!s)
        return;
    process_pipe_free(s->pipe);
    watch_free(s->timer);
    discovery_done(&s->found);
    server_sockets_done(&s->sockets);
    model_dirs_done(&s->dirs);
    free(s);
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
