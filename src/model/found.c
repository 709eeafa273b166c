/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.c - model servers on this machine. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "model/choice.h"
#include "model/link.h"
#include "model/listen.h"
#include "json/write.h"

#define ANSWER_MS    600         /* the probe's own limit, and its start */
#define QUESTION_MAX (16u << 10) /* a few addresses */

struct candidate {
    const char *title, *provider, *url, *list;
};

/* The usual ports, in the order in which they are preferred. */
static const struct candidate candidates[] = {
    {"Ollama", "ollama", "http://127.0.0.1:11434", "/api/tags"},
    {"llama-server", "openai", "http://127.0.0.1:8080/v1", "/models"},
    {"LM Studio", "openai", "http://127.0.0.1:1234/v1", "/models"},
    {"vLLM", "openai", "http://127.0.0.1:8000/v1", "/models"},
};

#define N_CANDIDATES (sizeof(candidates) / sizeof(candidates[0]))

struct search {
    const char *urls[N_CANDIDATES];
    char *ollama; /* where OLLAMA_HOST says, when that is here */
    struct json *answer;
    bool over;
};

static void
search_done(struct search *s)
{
    free(s->ollama);
    json_free(s->answer);
}

static bool
is_here(const char *url)
{
    const char *host = strstr(url, "://") + 3;

    return strncmp(host, "127.", 4) == 0 || strncmp(host, "[::1]", 5) == 0 ||
           strncmp(host, "localhost", 9) == 0;
}

static void
list_urls(struct search *s)
{
    const char *host = getenv("OLLAMA_HOST");

    for (size_t i = 0; i < N_CANDIDATES; i++)
        s->urls[i] = candidates[i].url;
    if (host && *host)
        s->ollama = call_base(provider_ollama(), host, NULL);
    if (s->ollama && is_here(s->ollama))
        s->urls[0] = s->ollama;
}

static bool
anyone_listens(const struct search *s)
{
    int ports[N_CANDIDATES];

    for (size_t i = 0; i < N_CANDIDATES; i++)
        ports[i] = (int)strtol(strrchr(s->urls[i], ':') + 1, NULL, 10);
    return listen_on_any(ports, N_CANDIDATES);
}

static void
put_question(const struct search *s, struct buf *b)
{
    struct json_writer w;

    json_write_init(&w, b);
    json_open_object(&w);
    json_key(&w, "probe");
    json_open_object(&w);
    json_member_int(&w, "id", 0);
    json_key(&w, "servers");
    json_open_array(&w);
    for (size_t i = 0; i < N_CANDIDATES; i++) {
        json_open_object(&w);
        json_member_str(&w, "url", s->urls[i]);
        json_member_str(&w, "list", candidates[i].list);
        json_close_object(&w);
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
ask_all(struct search *s)
{
    static const struct link_events events = {on_line, on_gone};
    CLEANUP_BUF struct buf b = buf_of(QUESTION_MAX);
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(link_free_p) struct link *k = NULL;
    int64_t end = clock_ms() + ANSWER_MS, left;

    put_question(s, &b);
    k = l ? link_start(l, &events, s, NULL) : NULL;
    if (!k || link_send(k, &b, NULL) < 0)
        return;
    while (!s->over && (left = end - clock_ms()) > 0) {
        if (loop_turn(l, (int)left, NULL) < 0)
            return;
    }
}

/* The first that was agreed to, else the first. */
static void
take_server(const struct search *s, const struct json *v,
            struct found_server *found)
{
    const char *url = json_get_str(v, "url");
    const char *model = json_get_str(v, "model");
    bool agreed = url && agreed_has(url);

    if (!url || !model || (found->provider && (found->agreed || !agreed)))
        return;
    for (size_t i = 0; i < N_CANDIDATES; i++) {
        if (strcmp(s->urls[i], url) != 0)
            continue;
        found->provider = provider_find(candidates[i].provider);
        found->title = candidates[i].title;
        found->agreed = agreed;
        snprintf(found->url, sizeof(found->url), "%s", url);
        snprintf(found->model, sizeof(found->model), "%s", model);
        return;
    }
}

int
found_look(struct found_server *found)
{
    CLEANUP(search_done) struct search s = {0};
    const struct json *v;

    list_urls(&s);
    if (!anyone_listens(&s))
        return 0;
    ask_all(&s);
    v = json_first(json_get(s.answer, "servers"));
    for (; v; v = json_next(v))
        take_server(&s, v, found);
    return found->provider != NULL;
}
