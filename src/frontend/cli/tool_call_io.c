/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call_io.c - write the responses of agentsh tool call, and record its
 * calls in the journal. */
#include "frontend/cli/tool_call_io.h"

#include <limits.h>
#include <string.h>

#include "action/run_audit.h"
#include "base/array.h"
#include "base/redact.h"
#include "base/utf8.h"
#include "term/escape.h"
#include "ui/plan_text.h"
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

#define TAIL_BYTES (4u << 10) /* kept of each text of an answer */
#define SHOWN_MAX  (4u << 20)
#define BY         "caller, who typed it" /* said yes to what is asked */

bool
tool_call_record_start(struct app *a, const struct tool *t, const char *action,
                       const struct json *args, const struct permit *p)
{
    const struct manifest_action *m = manifest_action(t->manifest, action);
    const struct journal_member members[] = {
        JOURNAL_STR("by", "caller"),
        JOURNAL_STR("tool", t->name),
        JOURNAL_STR("action", action),
        JOURNAL_TREE("args", args),
        JOURNAL_STR("decision", guard_decision_name(p->decision)),
        JOURNAL_STR("yes", p->decision == GUARD_ASK ? BY : NULL),
        JOURNAL_STR("rule", p->rule[0] ? p->rule : NULL),
        JOURNAL_STR("reason", p->reason[0] ? p->reason : NULL),
        {0},
    };

    bool read_only = m && m->read_only;

    (read_only ? app_record_later : app_record)(a, "call", members);
    return !read_only;
}

void
tool_call_record_refused(struct app *a, const struct json *root)
{
    const struct json *args = json_get(root, "args");
    const struct journal_member none = JOURNAL_STR("args", NULL);
    const struct journal_member tree = JOURNAL_TREE("args", args);

    app_record_later(a, "call",
                     (const struct journal_member[]){
                         JOURNAL_STR("by", "caller"),
                         JOURNAL_STR("tool", json_get_str(root, "tool")),
                         JOURNAL_STR("action", json_get_str(root, "action")),
                         args ? tree : none,
                         {0},
                     });
}

void
tool_call_record_elevation(struct app *a, const char *const *argv)
{
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);

    const struct run_audit_journal to = app_audit_journal(a);

    run_audit_add_elevation(&to, -1, argv, BY, true);
    if (!a->screen.tty)
        return;
    plan_text_put_root(&line, &a->screen, argv);
    (void)term_put(&a->screen, &line, NULL);
}

void
tool_call_record_result(struct app *a, const struct tool_result *r)
{
    CLEANUP_BUF struct buf out = buf_of(8 * TAIL_BYTES);
    CLEANUP_BUF struct buf err = buf_of(8 * TAIL_BYTES);
    const struct journal_member code = JOURNAL_NUM("exit_code", r->exit_code);
    const struct journal_member none = JOURNAL_STR("exit_code", NULL);

    (void)redact_tail(r->out, r->out_len, TAIL_BYTES, &out);
    (void)redact_tail(r->err, r->err_len, TAIL_BYTES, &err);
    app_record(a, "result",
               (const struct journal_member[]){
                   JOURNAL_FLAG("ok", r->ok),
                   JOURNAL_STR("code", r->error_code),
                   r->has_exit_code ? code : none,
                   JOURNAL_NUM("ms", r->duration_ms),
                   JOURNAL_BYTES("stdout", out.p, out.len),
                   JOURNAL_BYTES("stderr", err.p, err.len),
                   JOURNAL_NUM("stdout_kept", (int64_t)r->out_len),
                   JOURNAL_NUM("stderr_kept", (int64_t)r->err_len),
                   JOURNAL_FLAG("truncated", r->truncated),
                   {0},
               });
}

void
tool_call_record_failure(struct app *a, const struct err *why, int64_t ms)
{
    app_record(a, "result",
               (const struct journal_member[]){
                   JOURNAL_FLAG("ok", false),
                   JOURNAL_STR("code", err_tool_code(why->code)),
                   JOURNAL_STR("why", why->text),
                   JOURNAL_NUM("ms", ms),
                   {0},
               });
}

void
tool_call_record_end(struct app *a, bool acted, int status)
{
    if (!a->run) /* nothing was called */
        return;
    app_record(a, "end",
               (const struct journal_member[]){
                   JOURNAL_NUM("status", status),
                   {0},
               });
    app_record_sync(a, !acted);
}
