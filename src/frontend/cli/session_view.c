/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_view.c - writes lists and contents of sessions. */
#include "frontend/cli/session_view.h"

#include <string.h>
#include <time.h>

#include "action/shell_exchange.h"
#include "base/clock.h"
#include "base/message.h"
#include "record/shell_session.h"
#include "term/escape.h"
#include "term/width.h"
#include "json/json.h"

#define ROW_MAX 16384

static bool
is_of_shell(const struct session_info *info)
{
    return strcmp(info->settings, SHELL_SESSION_SETTINGS) == 0;
}

static void
put_info_json(struct session_view *v, const struct session_info *info)
{
    struct json_writer *w = &v->w;
    char time[CLOCK_RFC3339_SIZE];

    json_member_str(w, "id", info->id);
    json_member_str(w, "of", is_of_shell(info) ? "shell" : "editor");
    json_member_str(w, "directory", info->directory);
    json_member_str(w, "title", info->title);
    json_member_str(w, "created",
                    clock_rfc3339((time_t)(info->created_ms / 1000), time));
    json_member_str(w, "updated",
                    clock_rfc3339((time_t)(info->updated_ms / 1000), time));
    json_member_bool(w, "current", strcmp(info->id, v->current) == 0);
}

void
session_view_begin_list(struct session_view *v)
{
    if (v->app->output == OUTPUT_TEXT)
        return;
    json_write_init(&v->w, v->out);
    json_open_object(&v->w);
    json_key(&v->w, "sessions");
    json_open_array(&v->w);
}

/* "2026-11-29 08:58", in local time. */
static void
put_local_time(struct buf *out, int64_t ms)
{
    time_t t = (time_t)(ms / 1000);
    char text[32] = "";
    struct tm tm;

    if (localtime_r(&t, &tm))
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
    buf_str(out, text);
}

void
session_view_put_row(struct session_view *v, const struct session_info *info)
{
    CLEANUP_BUF struct buf row = buf_of(ROW_MAX);
    static const char more[] = "…";
    const struct term *t = &v->app->result;

    if (v->app->output != OUTPUT_TEXT) {
        json_open_object(&v->w);
        put_info_json(v, info);
        json_close_object(&v->w);
        return;
    }
    buf_printf(&row, "%c %.8s  ", strcmp(info->id, v->current) == 0 ? '*' : ' ',
               info->id);
    put_local_time(&row, info->updated_ms);
    buf_printf(&row, "  %-6s  ", is_of_shell(info) ? _("shell") : _("editor"));
    escape_str(&row, t, info->title, ESCAPE_PROSE | ESCAPE_LINES);
    buf_str(&row, "  ");
    escape_str(&row, t, info->directory, ESCAPE_LINES);
    if (t->tty)
        width_truncate(v->out, row.p, row.len, (size_t)t->columns,
                       t->unicode ? more : "...");
    else
        buf_add(v->out, row.p, row.len);
    buf_ch(v->out, '\n');
}

void
session_view_end_list(struct session_view *v)
{
    if (v->app->output == OUTPUT_TEXT)
        return;
    json_close_array(&v->w);
    json_close_object(&v->w);
    buf_ch(v->out, '\n');
}

void
session_view_begin_items(struct session_view *v,
                         const struct session_info *info)
{
    const struct term *t = &v->app->result;

    if (v->app->output == OUTPUT_TEXT) {
        buf_printf(v->out, "%s  ", info->id);
        put_local_time(v->out, info->created_ms);
        buf_str(v->out, "  ");
        escape_str(v->out, t, info->directory, ESCAPE_LINES);
        buf_ch(v->out, '\n');
        return;
    }
    json_write_init(&v->w, v->out);
    json_open_object(&v->w);
    put_info_json(v, info);
    json_key(&v->w, "items");
    json_open_array(&v->w);
}

/* Each line of the text behind the lead. */
static void
put_lines(struct session_view *v, const char *lead, const char *text, size_t n)
{
    const struct term *t = &v->app->result;

    while (n > 0) {
        const char *nl = memchr(text, '\n', n);
        size_t len = nl ? (size_t)(nl - text) : n;

        buf_str(v->out, lead);
        escape_text(v->out, t, text, len, ESCAPE_PROSE);
        buf_ch(v->out, '\n');
        n -= len + (nl != NULL);
        text += len + (nl != NULL);
    }
}

static void
put_member_lines(struct session_view *v, const char *lead,
                 const struct json *object, const char *name)
{
    const char *text = json_get_str(object, name);

    if (text)
        put_lines(v, lead, text, strlen(text));
}

/* An AiAction; what was cut is shown as it is. */
static void
put_answer_lines(struct session_view *v, const char *text, size_t n)
{
    CLEANUP(json_free_p) struct json *a = json_parse(text, n, 0, NULL);

    if (!a) {
        put_lines(v, "  ", text, n);
        return;
    }
    put_member_lines(v, "  ", a, "summary");
    for (const struct json *s = json_first(json_get(a, "steps")); s;
         s = json_next(s))
        put_member_lines(v, "  $ ", s, "shell_command");
}

static void
put_step_lines(struct session_view *v, const char *text, size_t n)
{
    CLEANUP(json_free_p) struct json *s = json_parse(text, n, 0, NULL);
    int64_t status;

    put_member_lines(v, "    ", s, "stdout");
    put_member_lines(v, "    ", s, "stderr");
    put_member_lines(v, _("    blocked: "), s, "blocked");
    put_member_lines(v, _("    stopped: "), s, "why");
    if (json_int(json_get(s, "exit_code"), &status) && status != 0)
        buf_printf(v->out, _("    exit status %lld\n"), (long long)status);
}

/* One JSON object a line. */
static void
put_result_lines(struct session_view *v, const char *text, size_t n)
{
    while (n > 0) {
        const char *nl = memchr(text, '\n', n);
        size_t len = nl ? (size_t)(nl - text) : n;

        put_step_lines(v, text, len);
        n -= len + (nl != NULL);
        text += len + (nl != NULL);
    }
}

/* What the model of an editor was told, and said. */
static void
put_turn_lines(struct session_view *v, const char *text, size_t n)
{
    CLEANUP(json_free_p) struct json *turn = json_parse(text, n, 0, NULL);

    for (const struct json *m = json_first(turn); m; m = json_next(m)) {
        const char *said = json_get_str(m, "text");
        bool assistant = false;

        (void)json_bool(json_get(m, "assistant"), &assistant);
        if (said && assistant)
            put_answer_lines(v, said, strlen(said));
        else if (said)
            put_lines(v, "> ", said, strlen(said));
    }
}

void
session_view_put_item(struct session_view *v, const char *kind,
                      const char *text, size_t n)
{
    if (v->app->output != OUTPUT_TEXT) {
        json_open_object(&v->w);
        json_member_str(&v->w, "kind", kind);
        json_key(&v->w, "text");
        json_put_strn(&v->w, text, n);
        json_close_object(&v->w);
        return;
    }
    if (strcmp(kind, SHELL_EXCHANGE_ASK) == 0 ||
        strcmp(kind, SHELL_EXCHANGE_REPLY) == 0)
        put_lines(v, "> ", text, n);
    else if (strcmp(kind, SHELL_EXCHANGE_ANSWER) == 0)
        put_answer_lines(v, text, n);
    else if (strcmp(kind, SHELL_EXCHANGE_CAME) == 0 ||
             strcmp(kind, SHELL_EXCHANGE_STATUS) == 0)
        put_result_lines(v, text, n);
    else if (strcmp(kind, "turn") == 0)
        put_turn_lines(v, text, n);
}

void
session_view_end_items(struct session_view *v)
{
    session_view_end_list(v);
}
