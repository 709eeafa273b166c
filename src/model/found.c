/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.c - model servers on this machine. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/linebuf.h"
#include "base/proc.h"
#include "model/choice.h"
#include "model/listen.h"
#include "json/write.h"

#include <poll.h>

#define ANSWER_MS  600         /* the probe's own limit, and its start */
#define ANSWER_MAX (64u << 10) /* a few servers and names of models */

struct candidate {
    const char *title, *provider, *url, *list;
    int port;
};

/* The usual ports, in the order in which they are preferred. */
static const struct candidate candidates[] = {
    {"Ollama", "ollama", "http://127.0.0.1:11434", "/api/tags", 11434},
    {"llama-server", "openai", "http://127.0.0.1:8080/v1", "/models", 8080},
    {"LM Studio", "openai", "http://127.0.0.1:1234/v1", "/models", 1234},
    {"vLLM", "openai", "http://127.0.0.1:8000/v1", "/models", 8000},
};

#define N_CANDIDATES (sizeof(candidates) / sizeof(candidates[0]))

static void
put_question(struct buf *b)
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
        json_member_str(&w, "url", candidates[i].url);
        json_member_str(&w, "list", candidates[i].list);
        json_close_object(&w);
    }
    json_close_array(&w);
    json_close_object(&w);
    json_close_object(&w);
    buf_ch(b, '\n');
}

/* The process's one line, within its time; NULL when none comes. */
static struct json *
read_answer(int fd)
{
    CLEANUP(linebuf_free_p)
    struct linebuf *lb = linebuf_new(ANSWER_MAX, NULL);
    int64_t end = clock_ms() + ANSWER_MS;
    const char *line = NULL;
    size_t n;

    while (lb && !line) {
        struct pollfd pfd = {.fd = fd, .events = POLLIN};
        int64_t left = end - clock_ms();

        if (left <= 0 || poll(&pfd, 1, (int)left) <= 0 ||
            linebuf_read(lb, fd, NULL) <= 0)
            return NULL;
        line = linebuf_next(lb, &n);
    }
    return line ? json_parse(line, n, 0, NULL) : NULL;
}

static struct json *
ask_all(void)
{
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);
    CLEANUP(proc_free_p) struct proc *p = model_process_start(NULL);

    put_question(&b);
    if (!p || b.bad || write(proc_fd(p, 0), b.p, b.len) != (ssize_t)b.len)
        return NULL;
    return read_answer(proc_fd(p, 1));
}

static void
take_server(struct found_server *s, const struct json *v)
{
    const char *url = json_get_str(v, "url");
    const char *model = json_get_str(v, "model");
    bool yes = url && agreed_has(url);

    if (!url || !model || (s->provider && (s->agreed || !yes)))
        return;
    for (size_t i = 0; i < N_CANDIDATES; i++) {
        if (strcmp(candidates[i].url, url) != 0)
            continue;
        s->provider = provider_find(candidates[i].provider);
        s->title = candidates[i].title;
        s->agreed = yes;
        snprintf(s->url, sizeof(s->url), "%s", url);
        snprintf(s->model, sizeof(s->model), "%s", model);
    }
}

int
found_look(struct found_server *s)
{
    CLEANUP(json_free_p) struct json *answer = NULL;
    const struct json *v;
    int ports[N_CANDIDATES];

    for (size_t i = 0; i < N_CANDIDATES; i++)
        ports[i] = candidates[i].port;
    if (!listen_on_any(ports, N_CANDIDATES))
        return 0;
    answer = ask_all();
    v = json_first(json_get(answer, "servers"));
    for (; v; v = json_next(v))
        take_server(s, v);
    return s->provider != NULL;
}
