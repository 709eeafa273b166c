/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call_io.c - writes the responses of agentsh tool call. */
#include "frontend/cli/tool_call_io.h"

#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "term/escape.h"
#include "json/write.h"

/* The code of an error, one of those that the API knows. */
static const char *
known_code(enum err_code code)
{
    static const char *const known[] = {
        "PERMISSION_DENIED", "NOT_FOUND",   "TIMEOUT",
        "INVALID_ARGS",      "IO_ERROR",    "PARSE_ERROR",
        "POLICY_DENIED",     "UNSUPPORTED", "SANDBOX_UNAVAILABLE",
    };
    const char *word = err_tool_code(code);

    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (strcmp(known[i], word) == 0)
            return known[i];
    return "IO_ERROR";
}

/* Everything up to the members of meta. */
static void
open_response(struct json_writer *w, struct buf *out, bool ok, const char *text,
              size_t n, const char *log, size_t log_n)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_bool(w, "ok", ok);
    json_key(w, "stdout");
    json_put_strn(w, text, n);
    json_key(w, "stderr");
    json_put_strn(w, log, log_n);
    json_key(w, "meta");
    json_open_object(w);
}

static void
close_response(struct json_writer *w, struct buf *out)
{
    json_close_object(w);
    json_close_object(w);
    buf_ch(out, '\n');
}

void
tool_call_write_result(struct buf *out, const struct tool_result *r)
{
    struct json_writer w;

    open_response(&w, out, r->ok, r->out, r->out_len, r->err, r->err_len);
    for (const struct json *m = json_first(r->meta); m; m = json_next(m)) {
        size_t n;
        const char *name = json_name(m, &n);

        json_keyn(&w, name, n);
        json_put_value(&w, m);
    }
    if (!json_get(r->meta, "duration_ms"))
        json_member_int(&w, "duration_ms", r->duration_ms);
    close_response(&w, out);
}

void
tool_call_write_error(struct buf *out, const struct err *why, int64_t ms)
{
    struct json_writer w;

    open_response(&w, out, false, "", 0, why->text, strlen(why->text));
    json_member_str(&w, "error_code", known_code(why->code));
    json_member_int(&w, "duration_ms", ms);
    close_response(&w, out);
}

void
tool_call_write_denied(struct buf *out, const struct permit *p, int64_t ms)
{
    CLEANUP_BUF struct buf text = buf_of(sizeof(p->rule) + sizeof(p->reason));
    struct json_writer w;

    buf_printf(&text, "denied: %s (%s)", p->reason, p->rule);
    open_response(&w, out, false, "", 0, text.p, text.len);
    json_member_str(&w, "error_code", known_code(ERR_DENIED));
    json_member_str(&w, "rule", p->rule);
    json_member_int(&w, "duration_ms", ms);
    close_response(&w, out);
}

void
tool_call_write_output(struct buf *out, const char *step_id, const char *stream,
                       const char *bytes, size_t n)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "event", "output");
    if (step_id)
        json_member_str(&w, "step_id", step_id);
    json_member_str(&w, "stream", stream);
    json_key(&w, "data");
    json_put_strn(&w, bytes, n);
    json_close_object(&w);
    buf_ch(out, '\n');
}

/* As JSON has it: a pair of surrogates for what lies above U+FFFF. */
static void
add_json_escape(struct buf *out, uint32_t cp)
{
    if (cp <= 0xFFFF) {
        buf_printf(out, "\\u%04x", (unsigned)cp);
        return;
    }
    cp -= 0x10000;
    buf_printf(out, "\\u%04x\\u%04x", 0xD800 + (unsigned)(cp >> 10),
               0xDC00 + (unsigned)(cp & 0x3FF));
}

void
tool_call_escape_line(struct buf *line)
{
    CLEANUP_BUF struct buf out = buf_of(3 * TOOL_CALL_LINE_MAX);

    for (size_t i = 0; i < line->len;) {
        uint32_t cp = 0;
        size_t n = utf8_decode(line->p + i, line->len - i, &cp);

        if (n > 0 && cp != '\n' && escape_is_hidden(cp))
            add_json_escape(&out, cp);
        else
            buf_add(&out, line->p + i, n > 0 ? n : 1);
        i += n > 0 ? n : 1;
    }
    if (out.bad)
        return;
    buf_done(line);
    *line = out;
    out = (struct buf){0};
}
