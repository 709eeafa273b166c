/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall_row.c - an event of the journal, for a person to read. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "person/recall_in.h"
#include "term/escape.h"
#include "term/style.h"

#define INDENT "    "

/* A member's text, line by line below a rule of its own. */
static void
put_lines(struct buf *out, const struct term *t, const char *p, size_t n)
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
put_name(struct buf *out, const struct term *t, const char *name, size_t n)
{
    buf_str(out, INDENT);
    buf_str(out, style_on(t, STYLE_DIM));
    (void)escape_text(out, NULL, name, n, ESCAPE_LINES);
    buf_ch(out, ':');
    buf_str(out, style_off(t, STYLE_DIM));
}

static void
put_string(struct buf *out, const struct term *t, const struct json *v)
{
    size_t n = 0;
    const char *p = json_str(v, &n);

    if (memchr(p, '\n', n)) {
        buf_ch(out, '\n');
        put_lines(out, t, p, n);
        return;
    }
    buf_ch(out, ' ');
    (void)escape_text(out, t, p, n, ESCAPE_PROSE | ESCAPE_LINES);
    buf_ch(out, '\n');
}

static void
put_value(struct buf *out, const struct term *t, const struct json *v)
{
    CLEANUP_BUF struct buf text = buf_of(RECALL_MAX);
    struct json_writer w;

    if (json_type(v) == JSON_STRING) {
        put_string(out, t, v);
        return;
    }
    json_write_init(&w, &text);
    json_put_value(&w, v);
    buf_ch(out, ' ');
    (void)escape_text(out, t, text.p, text.len, ESCAPE_PROSE | ESCAPE_LINES);
    buf_ch(out, '\n');
}

/* What runs instead of the command. */
static void
put_tool(struct buf *out, const struct term *t, const struct json *step)
{
    static const char *const names[] = {"tool", "action", "args"};

    if (!json_get_str(step, "tool"))
        return;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const struct json *v = json_get(step, names[i]);

        if (!v)
            continue;
        put_name(out, t, names[i], strlen(names[i]));
        put_value(out, t, v);
    }
}

/* A step of a plan: what would run, and what was found about it. */
static void
put_step(struct buf *out, const struct term *t, const struct json *step,
         int number)
{
    const struct json *command = json_get(step, "shell_command");
    const char *description = json_get_str(step, "description");
    const char *decision = json_get_str(step, "decision");
    const char *reason = json_get_str(step, "reason");

    buf_printf(out, INDENT "%d ", number);
    (void)escape_str(out, t, description ? description : "",
                     ESCAPE_PROSE | ESCAPE_LINES);
    if (decision) {
        buf_str(out, " (");
        (void)escape_str(out, t, decision, ESCAPE_LINES);
        if (reason && reason[0]) {
            buf_str(out, ": ");
            (void)escape_str(out, t, reason, ESCAPE_PROSE | ESCAPE_LINES);
        }
        buf_ch(out, ')');
    }
    buf_ch(out, '\n');
    if (command) {
        size_t n = 0;
        const char *p = json_str(command, &n);

        if (p)
            put_lines(out, t, p, n);
    }
    put_tool(out, t, step);
}

static void
put_steps(struct buf *out, const struct term *t, const struct json *steps)
{
    int number = 0;

    for (const struct json *s = json_first(steps); s; s = json_next(s))
        put_step(out, t, s, ++number);
}

/* Nothing that says nothing. */
static bool
is_empty(const struct json *v)
{
    size_t n = 0;

    return json_type(v) == JSON_NULL ||
           (json_type(v) == JSON_STRING && json_str(v, &n) && n == 0);
}

static void
put_members(struct buf *out, const struct term *t, const struct json *body)
{
    for (const struct json *m = json_first(body); m; m = json_next(m)) {
        size_t n = 0;
        const char *name = json_name(m, &n);

        if (!name || is_empty(m))
            continue;
        if (strcmp(name, "steps") == 0 && json_type(m) == JSON_ARRAY) {
            put_steps(out, t, m);
            continue;
        }
        put_name(out, t, name, n);
        put_value(out, t, m);
    }
}

void
recall_row_text(struct buf *out, const struct term *t,
                const struct ledger_row *r)
{
    CLEANUP(json_free_p)
    struct json *body = json_parse(r->body, r->body_len, 0, NULL);
    char when[RECALL_TIME_SIZE];

    buf_str(out, style_on(t, STYLE_HEADING));
    recall_time(r->time, when);
    (void)escape_str(out, NULL, when, ESCAPE_LINES);
    if (r->time_len == 24) /* the milliseconds are in every zone the same */
        (void)escape_text(out, NULL, r->time + 19, 4, ESCAPE_LINES);
    buf_str(out, "  ");
    (void)escape_text(out, NULL, r->kind, r->kind_len, ESCAPE_LINES);
    buf_printf(out, "%s%s  row %" PRId64 "%s\n", style_off(t, STYLE_HEADING),
               style_on(t, STYLE_DIM), r->seq, style_off(t, STYLE_DIM));
    if (json_type(body) == JSON_OBJECT)
        put_members(out, t, body);
    else
        put_lines(out, t, r->body, r->body_len);
}
