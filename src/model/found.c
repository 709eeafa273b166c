/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.c - model servers on this machine, and which were agreed to. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/linebuf.h"
#include "base/path.h"
#include "base/proc.h"
#include "model/choice.h"
#include "model/listen.h"
#include "json/write.h"

#include <poll.h>

#define AGREED_NAME    "servers"
#define AGREED_MAX     (16u << 10) /* a person agrees to a handful */
#define ANSWER_MS      600         /* the probe's own limit, and its start */
#define LINE_MAX_PROBE (64u << 10)

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

/* ---- agreement */

static int
read_agreed(struct buf *b)
{
    CLEANUP(free_p) char *path = path_of(PATH_STATE, AGREED_NAME, NULL);

    return path ? file_read(path, b, NULL) : -1;
}

static bool
is_agreed(const char *list, const char *url)
{
    size_t n = strlen(url);

    for (const char *p = list; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        if (strncmp(p, url, n) == 0 && (p[n] == '\n' || p[n] == '\0'))
            return true;
    }
    return false;
}

int
found_agree(const char *url, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(AGREED_MAX);
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, e);
    CLEANUP(free_p) char *path = path_of(PATH_STATE, AGREED_NAME, e);

    if (!dir || !path)
        return -1;
    (void)read_agreed(&b);
    if (is_agreed(b.p, url))
        return 0;
    buf_printf(&b, "%s\n", url);
    if (buf_ok(&b, path, e) < 0 || file_make_dirs(dir, 0700, e) < 0)
        return -1;
    return file_write(path, b.p, b.len, 0600, e);
}

/* ---- the question to all of them */

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
    struct linebuf *lb = linebuf_new(LINE_MAX_PROBE, NULL);
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
    CLEANUP_BUF struct buf b = buf_of(LINE_MAX_PROBE);
    CLEANUP(proc_free_p) struct proc *p = model_process_start(NULL);

    put_question(&b);
    if (!p || b.bad || write(proc_fd(p, 0), b.p, b.len) != (ssize_t)b.len)
        return NULL;
    return read_answer(proc_fd(p, 1));
}

/* ---- choosing one */

static void
take_server(struct found_server *s, const struct json *v, const char *agreed)
{
    const char *url = json_get_str(v, "url");
    const char *model = json_get_str(v, "model");
    bool yes = url && is_agreed(agreed, url);

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
    CLEANUP_BUF struct buf agreed = buf_of(AGREED_MAX);
    CLEANUP(json_free_p) struct json *answer = NULL;
    const struct json *v;
    int ports[N_CANDIDATES];

    for (size_t i = 0; i < N_CANDIDATES; i++)
        ports[i] = candidates[i].port;
    if (!listen_on_any(ports, N_CANDIDATES))
        return 0;
    answer = ask_all();
    (void)read_agreed(&agreed);
    v = json_first(json_get(answer, "servers"));
    for (; v; v = json_next(v))
        take_server(s, v, agreed.p);
    return s->provider != NULL;
}
