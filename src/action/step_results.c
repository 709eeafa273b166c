/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_results.c - writes the results of a plan's steps for the model. */
#include "action/step_results.h"

#include <string.h>

#include "base/redact.h"
#include "base/utf8.h"
#include "json/write.h"

/* One stream with every byte escaped, the names, and a tool's meta. */
#define ROOM_MAX  (2u << 20)
#define CLEAN_MAX (4u << 20) /* a stream, mended and redacted */

void
step_results_init(struct step_results *o)
{
    *o = (struct step_results){.stream_max = STEP_RESULTS_STREAM_MAX,
                               .max = STEP_RESULTS_MAX};
    buf_init(&o->text, ROOM_MAX);
}

void
step_results_done(struct step_results *o)
{
    if (o)
        buf_done(&o->text);
}

/* The first character boundary at or after `at`. */
static size_t
next_boundary(const char *p, size_t n, size_t at)
{
    while (at < n && ((unsigned char)p[at] & 0xC0) == 0x80)
        at++;
    return at;
}

/* Writes the end of a stream, where errors are. */
static void
put_stream_end(struct json_writer *w, const struct step_results *o,
               const char *name, const char *p, size_t n)
{
    CLEANUP_BUF struct buf valid = buf_of(CLEAN_MAX);
    CLEANUP_BUF struct buf clean = buf_of(CLEAN_MAX);
    size_t room = o->text.len < o->max ? o->stream_max : 0;
    size_t from;

    utf8_repair(&valid, p, n);
    redact(valid.p, valid.len, &clean);
    from = clean.len > room ? clean.len - room : 0;
    from = next_boundary(clean.p, clean.len, from);
    json_key(w, name);
    json_put_strn(w, clean.p + from, clean.len - from);
    if (from > 0)
        json_member_bool(w, "cut", true);
}

/* Writes a tool's meta, unless it is long. */
static void
put_tool_meta(struct json_writer *w, const struct step_results *o,
              const struct json *meta)
{
    CLEANUP_BUF struct buf text = buf_of(o->stream_max);
    struct json_writer part;

    if (!meta || o->text.len >= o->max)
        return;
    json_write_init(&part, &text);
    json_put_value(&part, meta);
    if (text.bad)
        return;
    json_key(w, "meta");
    json_put_raw(w, text.p, text.len);
}

static void
put_end(struct json_writer *w, const struct step_results *o,
        const struct step_end *end)
{
    if (end->host)
        json_member_str(w, "host", end->host);
    if (end->host && end->lost[0])
        json_member_str(w, "lost", end->lost);
    json_member_int(w, "exit_code", end->exit_code);
    if (end->error_code)
        json_member_str(w, "error_code", end->error_code);
    if (end->secret) {
        json_member_str(
            w, "withheld",
            "the step may read secrets: its output is shown to the user only");
    } else {
        put_stream_end(w, o, "stdout", end->out, end->out_len);
        put_stream_end(w, o, "stderr", end->err, end->err_len);
    }
    if (end->denied && end->denied[0])
        json_member_str(w, "blocked", end->denied);
    if (end->dropped && end->dropped[0])
        json_member_str(w, "dropped", end->dropped);
    if (!end->secret)
        put_tool_meta(w, o, end->meta);
}

void
step_results_add(struct step_results *o, const struct step *s,
                 const struct step_end *end)
{
    struct json_writer w;

    json_write_init(&w, &o->text);
    json_open_object(&w);
    json_member_str(&w, "step", s->id);
    if (end)
        put_end(&w, o, end);
    else
        json_member_bool(&w, "ran", false);
    json_close_object(&w);
    buf_ch(&o->text, '\n');
}
