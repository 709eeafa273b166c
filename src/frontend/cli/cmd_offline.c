/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_offline.c - agentsh offline: query the engine that needs no model. */
#include <unistd.h>

#include "base/linebuf.h"
#include "base/utf8.h"
#include "frontend/cli/command.h"
#include "offline/engine/engine.h"
#include "ui/app.h"

/* Bytes of a line; the engine reads the first few thousand. */
#define ASK_MAX    (64u << 10)
#define ANSWER_MAX (4u << 20) /* with --why: each candidate and its reasons */

struct offline_query {
    struct engine *engine;
    bool all, why;
};

static int
write_answer(struct buf *out, struct err *e)
{
    buf_ch(out, '\n');
    if (buf_ok(out, "an answer", e) < 0)
        return -1;
    return app_write_result(out, e);
}

static int
print_offline_answer(const struct offline_query *a, const char *request,
                     struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(ANSWER_MAX);
    CLEANUP(engine_answers_done) struct engine_answers answers = {0};
    struct json_writer w;

    if (engine_ask(a->engine, request, &answers, e) < 0)
        return -1;
    answers.near = answers.near || a->all;
    json_write_init(&w, &out);
    if (a->why)
        engine_why(a->engine, &answers, &w);
    else
        engine_json(&answers, &w);
    return write_answer(&out, e);
}

/* Any bytes make a request: what is no text in them is passed over. */
static int
answer_input_line(const struct offline_query *a, const char *line, size_t n,
                  struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(3 * ASK_MAX); /* U+FFFD is three */

    utf8_repair(&text, line, n);
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\0')
            text.p[i] = ' ';
    }
    return buf_ok(&text, "a request", e) < 0
               ? -1
               : print_offline_answer(a, text.p, e);
}

static int
answer_input_lines(const struct offline_query *a, struct linebuf *lb,
                   struct err *e)
{
    const char *line;
    size_t n;

    while ((line = linebuf_next(lb, &n)) != NULL) {
        if (answer_input_line(a, line, n, e) < 0)
            return -1;
    }
    return 0;
}

/* A line that is too long is a request that nothing fits. */
static int
answer_all_lines(const struct offline_query *a, struct err *e)
{
    CLEANUP(linebuf_free_p) struct linebuf *lb = linebuf_new(ASK_MAX, e);
    const char *line;
    long got = 1;
    size_t n;

    while (lb && got != 0) {
        got = linebuf_read(lb, STDIN_FILENO, e);
        if (answer_input_lines(a, lb, e) < 0 ||
            (got < 0 && e->code != ERR_PEER))
            return -1;
        if (got < 0) {
            linebuf_skip(lb);
            if (print_offline_answer(a, "", e) < 0)
                return -1;
        }
    }
    if (lb && (line = linebuf_rest(lb, &n)) != NULL)
        return answer_input_line(a, line, n, e);
    return lb ? 0 : -1;
}

static int
answer_words(const struct offline_query *a, const struct command_args *c,
             struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(ASK_MAX);

    if (command_join_words(c, &line, e) < 0)
        return -1;
    return answer_input_line(a, line.p, line.len, e);
}

static int
run_offline(struct command_args *c)
{
    struct err e = {0};
    CLEANUP(engine_free_p) struct engine *g = engine_new(c->app->seat, &e);
    const struct offline_query a = {
        .engine = g, .all = c->options.all, .why = c->options.why};
    int rc = -1;

    if (g)
        rc = c->n > 0 ? answer_words(&a, c, &e) : answer_all_lines(&a, &e);
    return rc < 0 ? app_fail(c->app, &e) : 0;
}

const struct command cmd_offline = {
    .name = "offline",
    .args = "[TEXT…]",
    .help = N_("show what the offline engine proposes, one request per line"),
    .options = FOR_ENGINE | FOR_LINE,
    .run = run_offline,
};
