/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_tool_call.c - writes steps and calls of a model as tool calls. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "server/acp/acp_patch.h"
#include "server/acp/acp_update.h"
#include "json/write.h"

#define OLD_TEXT_MAX (1u << 20) /* bytes of a file that is shown as it was */
#define TITLE_MAX    200        /* bytes */

/* The argument that names the file which an action reads or writes; NULL: none.
 */
static const char *
step_path(const struct step *s, const struct step_verdict *v, bool *writes)
{
    const struct manifest_action *a = v->tool
                                          ? manifest_action(v->tool->manifest,
                                                            s->action)
                                          : NULL;

    *writes = a && a->writes[0];
    if (!a || (!a->writes[0] && !a->reads[0]))
        return NULL;
    return json_get_str(s->args, *writes ? a->writes[0] : a->reads[0]);
}

/* The protocol's word for what a step does. */
static const char *
step_kind(const struct step *s, const struct step_verdict *v)
{
    bool writes = false;
    const char *path = step_path(s, v, &writes);

    if (!v->tool)
        return "execute";
    if (path && writes)
        return strstr(s->tool, "delete") ? "delete" : "edit";
    return path ? "read" : "other";
}

static char *
absolute(const struct step_verdict *v, const char *path)
{
    return seat_resolve(v->seat, path);
}

static void
put_content_text(struct json_writer *w, const char *text, size_t n)
{
    json_open_object(w);
    json_member_str(w, "type", "content");
    json_key(w, "content");
    json_open_object(w);
    json_member_str(w, "type", "text");
    json_key(w, "text");
    json_put_strn(w, text, n);
    json_close_object(w);
    json_close_object(w);
}

/* What a regular file holds now, if it is text and not too long. */
static bool
read_old_text(const char *path, struct buf *out)
{
    return file_read_regular(path, out, NULL) == 0 &&
           utf8_valid(out->p, out->len);
}

static void
put_diff(struct json_writer *w, const char *path, const char *old,
         const char *new)
{
    json_open_object(w);
    json_member_str(w, "type", "diff");
    json_member_str(w, "path", path);
    json_key(w, "oldText");
    json_put_str(w, old);
    json_member_str(w, "newText", new);
    json_close_object(w);
}

/* The new content of a file that a step writes as a whole. */
static void
put_file_change(struct json_writer *w, const struct step *s, const char *path,
                enum acp_dialect d)
{
    CLEANUP_BUF struct buf buf = buf_of(OLD_TEXT_MAX);
    const char *content = json_get_str(s->args, "content");
    const char *old = read_old_text(path, &buf) ? buf.p : NULL;
    const char *encoding = json_get_str(s->args, "encoding");

    if (!content || (encoding && strcmp(encoding, "utf-8") != 0))
        return;
    if (d == ACP_DRAFT)
        acp_patch_put(w, path, old, content, access(path, F_OK) == 0);
    else
        put_diff(w, path, old, content);
}

static void
put_location(struct json_writer *w, const char *path)
{
    json_key(w, "locations");
    json_open_array(w);
    if (path) {
        json_open_object(w);
        json_member_str(w, "path", path);
        json_close_object(w);
    }
    json_close_array(w);
}

static void
put_raw_input(struct json_writer *w, const struct step *s,
              const struct step_verdict *v)
{
    json_key(w, "rawInput");
    if (v->tool) {
        json_put_value(w, s->args);
        return;
    }
    json_open_object(w);
    json_member_str(w, "command", s->command);
    json_member_str(w, "cwd", v->directory);
    json_close_object(w);
}

void
acp_update_put_title(struct json_writer *w, const char *title)
{
    size_t n = strlen(title);

    json_key(w, "title");
    json_put_strn(w, title, utf8_boundary(title, n, TITLE_MAX));
}

/* The members that a step has in each message about it. The command itself is
 * the title: it is what the person agrees to. */
void
acp_update_put_step(struct json_writer *w, const char *id, const struct step *s,
                    const struct step_verdict *v, const struct acp_question *q,
                    enum acp_dialect d)
{
    bool writes = false;
    const char *named = step_path(s, v, &writes);
    CLEANUP(free_p) char *path = named ? absolute(v, named) : NULL;

    json_member_str(w, "toolCallId", id);
    acp_update_put_title(w, s->command);
    json_member_str(w, "name", s->tool ? s->tool : AIACTION_TOOL);
    json_member_str(w, "kind", step_kind(s, v));
    json_member_str(w, "status", "pending");
    put_raw_input(w, s, v);
    put_location(w, path);
    json_key(w, "content");
    json_open_array(w);
    if (s->description[0])
        put_content_text(w, s->description, strlen(s->description));
    if (q && q->why[0])
        put_content_text(w, q->why, strlen(q->why));
    if (q && q->sandbox)
        put_content_text(w, q->sandbox, strlen(q->sandbox));
    if (path && writes)
        put_file_change(w, s, path, d);
    json_close_array(w);
}

void
acp_update_step(struct buf *out, const char *session, const char *id,
                const struct step *s, const struct step_verdict *v,
                enum acp_dialect d)
{
    struct json_writer w;

    acp_update_open(&w, out, session,
                    d == ACP_DRAFT ? "tool_call_update" : "tool_call");
    acp_update_put_step(&w, id, s, v, NULL, d);
    acp_update_close(&w);
}

static void
open_call_update(struct json_writer *w, struct buf *out, const char *session,
                 const char *id, const char *status)
{
    acp_update_open(w, out, session, "tool_call_update");
    json_member_str(w, "toolCallId", id);
    json_member_str(w, "status", status);
}

void
acp_update_step_output(struct buf *out, const char *session, const char *id,
                       const char *text, size_t n)
{
    struct json_writer w;

    open_call_update(&w, out, session, id, "in_progress");
    if (n > 0) {
        json_key(&w, "content");
        json_open_array(&w);
        put_content_text(&w, text, n);
        json_close_array(&w);
    }
    acp_update_close(&w);
}

/* The end of a text, from a character's first byte on. */
static void
put_tail(struct json_writer *w, const char *p, size_t n)
{
    size_t from = n > ACP_OUTPUT_SHOWN ? n - ACP_OUTPUT_SHOWN : 0;

    while (from > 0 && from < n && ((unsigned char)p[from] & 0xc0) == 0x80)
        from++;
    if (n > 0)
        put_content_text(w, p + from, n - from);
}

bool
acp_update_is_done(const struct step_end *end)
{
    return end->exit_code == 0 && !end->error_code &&
           !(end->dropped && end->dropped[0]);
}

void
acp_update_step_end(struct buf *out, const char *session, const char *id,
                    const char *status, const struct step_end *end)
{
    struct json_writer w;

    if (!status)
        status = acp_update_is_done(end) ? "completed" : "failed";
    open_call_update(&w, out, session, id, status);
    json_key(&w, "content");
    json_open_array(&w);
    put_tail(&w, end->out, end->out_len);
    put_tail(&w, end->err, end->err_len);
    if (end->denied && end->denied[0])
        put_tail(&w, end->denied, strlen(end->denied));
    json_close_array(&w);
    json_key(&w, "rawOutput");
    json_open_object(&w);
    json_member_int(&w, "exit_code", end->exit_code);
    json_member_int(&w, "duration_ms", end->duration_ms);
    if (end->error_code)
        json_member_str(&w, "error_code", end->error_code);
    json_member_bool(&w, "truncated", end->truncated);
    json_close_object(&w);
    acp_update_close(&w);
}

void
acp_update_step_failed(struct buf *out, const char *session, const char *id,
                       const char *status, const char *why)
{
    struct json_writer w;

    open_call_update(&w, out, session, id, status);
    if (why) {
        json_key(&w, "content");
        json_open_array(&w);
        put_content_text(&w, why, strlen(why));
        json_close_array(&w);
    }
    acp_update_close(&w);
}

static void
put_call_end(struct json_writer *w, const struct tool_loop_call *c)
{
    json_member_str(w, "status", c->failed ? "failed" : "completed");
    json_key(w, "content");
    json_open_array(w);
    put_tail(w, c->text, c->len);
    json_close_array(w);
    if (c->args) {
        json_key(w, "rawInput");
        json_put_value(w, c->args);
    }
}

void
acp_update_call(struct buf *out, const char *session, const char *id,
                const char *line, const struct tool_loop_call *c,
                enum acp_dialect d)
{
    struct json_writer w;

    acp_update_open(&w, out, session,
                    c || d == ACP_DRAFT ? "tool_call_update" : "tool_call");
    json_member_str(&w, "toolCallId", id);
    if (c) {
        if (c->tool)
            json_member_str(&w, "name", c->tool);
        put_call_end(&w, c);
    } else {
        acp_update_put_title(&w, line);
        json_member_str(&w, "kind", "read");
        json_member_str(&w, "status", "in_progress");
    }
    acp_update_close(&w);
}

static void
put_answer_option(struct json_writer *w, const char *kind, const char *name)
{
    json_open_object(w);
    json_member_str(w, "optionId", kind);
    json_member_str(w, "name", name);
    json_member_str(w, "kind", kind);
    json_close_object(w);
}

void
acp_update_put_answers(struct json_writer *w, const char *rule)
{
    CLEANUP_BUF struct buf always = buf_of(AIACTION_COMMAND_MAX + 64);

    json_key(w, "options");
    json_open_array(w);
    put_answer_option(w, "allow_once", "Allow once");
    if (rule) {
        buf_printf(&always, "Allow in this session: %s", rule);
        put_answer_option(w, "allow_always", always.p);
    }
    put_answer_option(w, "reject_once", "Reject");
    json_close_array(w);
}

void
acp_update_question(struct buf *out, const char *session, const char *id,
                    const struct step *s, const struct step_verdict *v,
                    const struct acp_question *q)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "sessionId", session);
    json_key(&w, "toolCall");
    json_open_object(&w);
    acp_update_put_step(&w, id, s, v, q, ACP_V1);
    json_close_object(&w);
    acp_update_put_answers(&w, q->rule);
    json_close_object(&w);
}
