/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_run.c - prints the events of one run. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/message_put.h"
#include "term/escape.h"
#include "term/style.h"
#include "ui/app.h"
#include "ui/audit_log.h"

#define REASON_MAX 65536 /* bytes of what the guard found, shown */
#define INDENT     "    "

/* Appends a text line by line, each behind a bar. */
static void
put_barred_lines(struct buf *out, const struct term *t, const char *p, size_t n)
{
    while (n > 0) {
        const char *end = memchr(p, '\n', n);
        size_t len = end ? (size_t)(end - p) : n;

        buf_printf(out, INDENT INDENT "%s ", style_symbol(t, SYMBOL_BAR));
        (void)escape_text(out, t, p, len, ESCAPE_PROSE | ESCAPE_LINES);
        buf_ch(out, '\n');
        p += len + (end != NULL);
        n -= len + (end != NULL);
    }
}

static void
put_member_name(struct buf *out, const struct term *t, const char *name,
                size_t n)
{
    buf_str(out, INDENT);
    buf_str(out, style_on(t, STYLE_DIM));
    (void)escape_text(out, NULL, name, n, ESCAPE_LINES);
    buf_ch(out, ':');
    buf_str(out, style_off(t, STYLE_DIM));
}

static void
put_text_member(struct buf *out, const struct term *t, const struct json *v)
{
    size_t n = 0;
    const char *p = json_str(v, &n);

    if (memchr(p, '\n', n)) {
        buf_ch(out, '\n');
        put_barred_lines(out, t, p, n);
        return;
    }
    buf_ch(out, ' ');
    (void)escape_text(out, t, p, n, ESCAPE_PROSE | ESCAPE_LINES);
    buf_ch(out, '\n');
}

static void
put_member_value(struct buf *out, const struct term *t, const struct json *v)
{
    CLEANUP_BUF struct buf text = buf_of(AUDIT_LOG_MAX);
    struct json_writer w;

    if (json_type(v) == JSON_STRING) {
        put_text_member(out, t, v);
        return;
    }
    json_write_init(&w, &text);
    json_put_value(&w, v);
    buf_ch(out, ' ');
    (void)escape_text(out, t, text.p, text.len, ESCAPE_PROSE | ESCAPE_LINES);
    buf_ch(out, '\n');
}

/* The tool call that runs in place of the step's command. */
static void
put_step_tool(struct buf *out, const struct term *t, const struct json *step)
{
    static const char *const names[] = {"tool", "action", "args"};

    if (!json_get_str(step, "tool"))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct json *v = json_get(step, names[i]);

        if (!v)
            continue;
        put_member_name(out, t, names[i], strlen(names[i]));
        put_member_value(out, t, v);
    }
}

/* A step of a plan: its command, and what the guard found about it. */
static void
put_plan_step(struct buf *out, const struct term *t, const struct json *step,
              int number)
{
    const struct json *command = json_get(step, "shell_command");
    const char *description = json_get_str(step, "description");
    const char *decision = json_get_str(step, "decision");
    CLEANUP_BUF struct buf said = buf_of(REASON_MAX);
    const char *reason = json_get_str(step, "reason");

    buf_printf(out, INDENT "%d ", number);
    (void)escape_str(out, t, description ? description : "",
                     ESCAPE_PROSE | ESCAPE_LINES);
    if (decision) {
        buf_str(out, " (");
        (void)escape_str(out, t, decision, ESCAPE_LINES);
        if (reason && reason[0]) {
            buf_str(out, ": ");
            (void)message_put(&said, reason);
            (void)escape_str(out, t, said.p, ESCAPE_PROSE | ESCAPE_LINES);
        }
        buf_ch(out, ')');
    }
    buf_ch(out, '\n');
    if (command) {
        size_t n = 0;
        const char *p = json_str(command, &n);

        if (p)
            put_barred_lines(out, t, p, n);
    }
    put_step_tool(out, t, step);
}

static void
put_plan_steps(struct buf *out, const struct term *t, const struct json *steps)
{
    int number = 0;

    for (const struct json *s = json_first(steps); s; s = json_next(s))
        put_plan_step(out, t, s, ++number);
}

/* Why something ended as it did. */
static void
put_why_member(struct buf *out, const struct term *t, const struct json *v)
{
    CLEANUP_BUF struct buf said = buf_of(REASON_MAX);
    size_t n;

    (void)message_put(&said, json_str(v, &n));
    buf_ch(out, ' ');
    (void)escape_str(out, t, said.p, ESCAPE_PROSE | ESCAPE_LINES);
    buf_ch(out, '\n');
}

/* Whether the value says nothing. */
static bool
is_empty_member(const struct json *v)
{
    size_t n = 0;

    return json_type(v) == JSON_NULL ||
           (json_type(v) == JSON_STRING && json_str(v, &n) && n == 0);
}

static void
put_event_members(struct buf *out, const struct term *t,
                  const struct json *body)
{
    for (const struct json *m = json_first(body); m; m = json_next(m)) {
        size_t n = 0;
        const char *name = json_name(m, &n);

        if (!name || is_empty_member(m))
            continue;
        if (strcmp(name, "steps") == 0 && json_type(m) == JSON_ARRAY) {
            put_plan_steps(out, t, m);
            continue;
        }
        put_member_name(out, t, name, n);
        if (strcmp(name, "why") == 0 && json_type(m) == JSON_STRING)
            put_why_member(out, t, m);
        else
            put_member_value(out, t, m);
    }
}

void
audit_log_row_text(struct buf *out, const struct term *t,
                   const struct ledger_row *r)
{
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);
    char when[AUDIT_LOG_TIME_SIZE];

    buf_str(out, style_on(t, STYLE_HEADING));
    audit_log_time(r->time, when);
    (void)escape_str(out, NULL, when, ESCAPE_LINES);
    if (r->time_len == 24) /* milliseconds are the same in every time zone */
        (void)escape_text(out, NULL, r->time + 19, 4, ESCAPE_LINES);
    buf_str(out, "  ");
    (void)escape_text(out, NULL, r->kind, r->kind_len, ESCAPE_LINES);
    buf_printf(out, "%s%s  row %" PRId64 "%s\n", style_off(t, STYLE_HEADING),
               style_on(t, STYLE_DIM), r->seq, style_off(t, STYLE_DIM));
    if (json_type(body) == JSON_OBJECT)
        put_event_members(out, t, body);
    else
        put_barred_lines(out, t, r->body, r->body_len);
}

/* The output of one run. */
struct run_writer {
    struct app *app;
    struct buf *out;
    struct json_writer *json;
};

void
audit_log_row_json(struct json_writer *w, const struct ledger_row *r)
{
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);

    json_open_object(w);
    json_member_int(w, "seq", r->seq);
    json_member_str(w, "time", r->time);
    json_member_str(w, "kind", r->kind);
    json_key(w, "event");
    if (body)
        json_put_value(w, body);
    else
        json_put_strn(w, r->body, r->body_len);
    json_member_str(w, "hash", r->hash);
    json_close_object(w);
}

static void
on_run_row(void *arg, const struct ledger_row *r)
{
    struct run_writer *t = arg;

    if (t->app->output == OUTPUT_TEXT) {
        audit_log_row_text(t->out, &t->app->result, r);
        return;
    }
    audit_log_row_json(t->json, r);
    if (t->app->output == OUTPUT_JSONL) {
        buf_ch(t->out, '\n');
        json_write_init(t->json, t->out);
    }
}

static int
write_run(struct app *a, struct journal_reader *h, const char *run,
          struct buf *out, struct err *e)
{
    struct json_writer w;
    struct run_writer t = {.app = a, .out = out, .json = &w};
    bool json = a->output == OUTPUT_JSON;

    json_write_init(&w, out);
    if (json) {
        json_open_object(&w);
        json_member_str(&w, "run", run);
        json_key(&w, "rows");
        json_open_array(&w);
    } else if (a->output == OUTPUT_TEXT) {
        buf_printf(out, "%srun %s%s\n", style_on(&a->result, STYLE_TITLE), run,
                   style_off(&a->result, STYLE_TITLE));
    }
    if (journal_read_rows(h, run, on_run_row, &t, e) < 0)
        return -1;
    if (json) {
        json_close_array(&w);
        json_close_object(&w);
        buf_ch(out, '\n');
    }
    return buf_ok(out, "the run", e);
}

int
audit_log_run(struct app *a, const char *word)
{
    CLEANUP(journal_read_close_p) struct journal_reader *h = NULL;
    CLEANUP_BUF struct buf out = buf_of(AUDIT_LOG_MAX);
    CLEANUP_BUF struct buf run = buf_of(AUDIT_LOG_TIME_SIZE);
    struct err e = {0};

    h = journal_read_open(&e);
    if (!h || journal_read_find_run(h, word, &run, &e) < 0 ||
        write_run(a, h, run.p, &out, &e) < 0)
        return app_fail(a, &e);
    app_put_result(a, &out);
    return 0;
}
