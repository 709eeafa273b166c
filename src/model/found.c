/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.c - looks for model servers on this machine. */
#include "model/found.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "model/link.h"
#include "model/provider.h"
#include "model/remembered.h"
#include "json/write.h"

#define REPORT_MS    10          /* of FOUND_SEARCH_MS: to tell what came */
#define QUESTION_MAX (16u << 10) /* a few addresses */
#define SOCKETS_MAX  256

struct candidate {
    const char *title, *provider, *origin;
    const char *base;     /* behind the origin: what the provider is told */
    const char *lists[2]; /* behind the origin; the first has the models */
    bool alone;           /* it lists what it has loaded */
};

/* The usual ports, in the order in which they are preferred. */
static const struct candidate candidates[FOUND_MAX] = {
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

struct search {
    const char *origins[FOUND_MAX];
    char *ollama; /* where OLLAMA_HOST says, when that is here */
    struct listener sockets[FOUND_MAX];
    bool told;                      /* the kernel told who listens */
    size_t candidate_of[FOUND_MAX]; /* of out->v[i] */
    struct json *answer;
    bool over;
    int64_t end; /* on the monotonic clock, which all processes share */
};

static void
search_done(struct search *s)
{
    free(s->ollama);
    json_free(s->answer);
}

void
found_done(struct found *f)
{
    for (size_t i = 0; f && i < f->n; i++)
        model_list_done(&f->v[i].models);
}

/* Numbers and "localhost" alone: any other name may lead anywhere. */
bool
found_is_here(const char *url)
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

/* "localhost" may be [::1] too, where another may listen. */
static void
place_ollama(struct search *s)
{
    const char *host = getenv("OLLAMA_HOST");
    char *url = host && *host ? call_base(provider_ollama(), host, NULL) : NULL;

    if (url && found_is_here(url) && strlen(url) < FOUND_URL_SIZE - 8) {
        char *at = strstr(url, "://") + 3;

        if (*at == 'l')
            memcpy(at, "127.0.0.1", 9); /* as long */
        s->ollama = url;
    } else {
        free(url);
    }
}

static int
port_of(const char *origin)
{
    const char *host = strstr(origin, "://") + 3;
    const char *colon = strchr(*host == '[' ? strchr(host, ']') : host, ':');

    if (colon)
        return (int)strtol(colon + 1, NULL, 10);
    return strncmp(origin, "https", 5) == 0 ? 443 : 80;
}

static bool
is_of_use(const struct found_wish *w, enum agreement said)
{
    if (w->afresh)
        return true;
    return said == AGREED_YES || (said == AGREED_NOT_ASKED && w->can_ask);
}

/* Those on whose port somebody listens. */
static void
list_places(struct search *s, const struct found_wish *w, struct found *out)
{
    place_ollama(s);
    for (size_t i = 0; i < FOUND_MAX; i++) {
        s->origins[i] = i == 0 && s->ollama ? s->ollama : candidates[i].origin;
        s->sockets[i].port = port_of(s->origins[i]);
    }
    s->told = listen_look(s->sockets, FOUND_MAX);
    for (size_t i = 0; i < FOUND_MAX; i++) {
        const struct candidate *c = &candidates[i];
        struct found_server *v = &out->v[out->n];

        if (s->told && s->sockets[i].near == 0)
            continue;
        v->provider = provider_find(c->provider);
        v->title = c->title;
        v->uid = s->told ? s->sockets[i].uid : LISTEN_NOBODY;
        snprintf(v->url, sizeof(v->url), "%s%s", s->origins[i], c->base);
        v->agreed = agreed_look(v->url, v->uid);
        if (is_of_use(w, v->agreed))
            s->candidate_of[out->n++] = i;
    }
}

/* The sockets that a search is about: "11434:8123 8080:977 ". */
static void
name_sockets(const struct search *s, const struct found *f,
             char text[SOCKETS_MAX])
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < f->n; i++) {
        const struct listener *v = &s->sockets[s->candidate_of[i]];

        n += (size_t)snprintf(text + n, SOCKETS_MAX - n, "%d:%lu ", v->port,
                              (unsigned long)v->inode);
    }
}

static void
put_question(const struct search *s, const struct found *f, struct buf *b)
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
    for (size_t i = 0; i < f->n; i++) {
        const struct candidate *c = &candidates[s->candidate_of[i]];

        for (size_t k = 0; k < 2 && c->lists[k]; k++) {
            char url[2 * FOUND_URL_SIZE];

            snprintf(url, sizeof(url), "%s%s", s->origins[s->candidate_of[i]],
                     c->lists[k]);
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
    struct search *s = arg;

    if (!s->answer)
        s->answer = json_parse(line, n, 0, NULL);
    s->over = true;
}

static void
on_gone(void *arg, int status)
{
    struct search *s = arg;

    (void)status;
    s->over = true;
}

/* Asks all of them side by side, by the process that may. */
static void
ask_all(struct search *s, const struct found *f)
{
    static const struct link_events events = {on_line, on_gone};
    CLEANUP_BUF struct buf b = buf_of(QUESTION_MAX);
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(link_free_p) struct link *k = NULL;
    int64_t left;

    put_question(s, f, &b);
    k = l ? link_start(l, &events, s, NULL) : NULL;
    if (!k || link_send(k, &b, NULL) < 0)
        return;
    while (!s->over && (left = s->end - clock_ms()) > 0) {
        if (loop_turn(l, (int)left, NULL) < 0)
            return;
    }
}

static bool
has(const struct model_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(l->v[i].name, name) == 0)
            return true;
    }
    return false;
}

static void
take_lists(const struct candidate *c, const struct json *first,
           const struct json *second, struct found_server *v)
{
    int64_t memory = pick_memory();
    const struct model_info *best;

    if (!json_get(first, "list"))
        return;
    v->answered = true;
    (void)json_int(json_get(first, "ms"), &v->ms);
    (void)models_read(json_get(first, "list"), c->alone, &v->models, NULL);
    /* Ollama tells what runs, LM Studio what kinds they are */
    if (v->provider == provider_ollama())
        models_mark(json_get(second, "list"), &v->models);
    else
        (void)models_read(json_get(second, "list"), false, &v->models, NULL);
    best = pick_best(&v->models, memory);
    if (!best)
        return;
    snprintf(v->model, sizeof(v->model), "%s", best->name);
    pick_why(best, memory, v->why);
}

static void
take_answer(const struct search *s, struct found *out)
{
    const struct json *v = json_first(json_get(s->answer, "servers"));

    for (size_t i = 0; v && i < out->n; i++) {
        const struct candidate *c = &candidates[s->candidate_of[i]];
        const struct json *more = c->lists[1] ? json_next(v) : NULL;

        take_lists(c, v, more, &out->v[i]);
        v = json_next(more ? more : v);
    }
}

/* A model that was named is not chosen; who has it comes first. */
static void
put_wanted_first(const char *want, struct found *out)
{
    for (size_t i = 1; i < out->n; i++) {
        struct found_server v = out->v[i];

        if (has(&out->v[0].models, want) || !has(&v.models, want))
            continue;
        memmove(&out->v[1], &out->v[0], i * sizeof(v));
        out->v[0] = v;
        return;
    }
}

void
found_search(const struct found_wish *w, struct found *out)
{
    CLEANUP(search_done) struct search s = {0};
    int64_t begun = clock_ms();
    char sockets[SOCKETS_MAX];

    *out = (struct found){0};
    s.end = begun + FOUND_SEARCH_MS;
    list_places(&s, w, out);
    if (out->n == 0)
        return;
    name_sockets(&s, out, sockets);
    if (!w->afresh && remembered_load(sockets, w->model, out) == 0) {
        out->remembered = true;
    } else {
        ask_all(&s, out);
        take_answer(&s, out);
        if (w->model)
            put_wanted_first(w->model, out);
        remembered_store(sockets, w->model, out);
    }
    out->ms = clock_ms() - begun;
}

const struct found_server *
found_best(const struct found *f)
{
    const struct found_server *best = NULL;

    for (size_t i = 0; i < f->n; i++) {
        const struct found_server *v = &f->v[i];

        if (!v->model[0] || v->agreed == AGREED_NO)
            continue;
        if (v->agreed == AGREED_YES)
            return v;
        best = best ? best : v;
    }
    return best;
}

const char *
found_provider(const struct found_server *v)
{
    return v->provider->name;
}
