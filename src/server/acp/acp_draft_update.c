/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_update.c - writes the updates of the draft of version 2. */
#include "server/acp/acp_draft_update.h"

#include <stdio.h>
#include <string.h>

#include "server/acp/acp_patch.h"
#include "server/acp/acp_update.h"
#include "wire/jsonrpc.h"
#include "json/write.h"

static void
open_message(struct json_writer *w, struct buf *out, const char *session,
             const char *kind, const char *id)
{
    acp_update_open(w, out, session, kind);
    json_member_str(w, "messageId", id);
    json_key(w, "content");
}

void
acp_draft_message(struct buf *out, const char *session, const char *kind,
                  const char *id, const char *text)
{
    struct json_writer w;

    open_message(&w, out, session, kind, id);
    json_open_array(&w);
    json_open_object(&w);
    json_member_str(&w, "type", "text");
    json_member_str(&w, "text", text);
    json_close_object(&w);
    json_close_array(&w);
    acp_update_close(&w);
}

void
acp_draft_message_clear(struct buf *out, const char *session, const char *id)
{
    struct json_writer w;

    open_message(&w, out, session, "agent_message", id);
    json_open_array(&w);
    json_close_array(&w);
    acp_update_close(&w);
}

void
acp_draft_prompt(struct buf *out, const char *session, const char *id,
                 const struct buf *content)
{
    struct json_writer w;

    open_message(&w, out, session, "user_message", id);
    json_put_raw(&w, content->p, content->len);
    acp_update_close(&w);
}

void
acp_draft_state(struct buf *out, const char *session, const char *state)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "state_update");
    json_member_str(&w, "state", state);
    acp_update_close(&w);
}

void
acp_draft_idle(struct buf *out, const char *session, const char *reason,
               const struct err *why)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "state_update");
    json_member_str(&w, "state", "idle");
    if (reason)
        json_member_str(&w, "stopReason", reason);
    if (why) {
        json_key(&w, "error");
        json_open_object(&w);
        json_member_int(&w, "code", JSONRPC_INTERNAL);
        json_member_str(&w, "message", why->text);
        json_close_object(&w);
    }
    acp_update_close(&w);
}

void
acp_draft_plan(struct buf *out, const char *session, const char *id,
               const struct aiaction *a, size_t at, bool running, bool over)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "plan_update");
    json_key(&w, "plan");
    json_open_object(&w);
    json_member_str(&w, "type", "items");
    json_member_str(&w, "planId", id);
    acp_update_put_entries(&w, a, at, running, over ? "cancelled" : "pending");
    json_close_object(&w);
    acp_update_close(&w);
}

/* The subject of the question: a command, or the tool call of the step. */
static void
put_draft_subject(struct json_writer *w, const char *id, const struct step *s,
                  const struct step_verdict *v)
{
    json_key(w, "subject");
    json_open_object(w);
    json_member_str(w, "type", v->tool ? "tool_call" : "command");
    if (v->tool) {
        json_key(w, "toolCall");
        json_open_object(w);
        acp_update_put_step(w, id, s, v, NULL, ACP_DRAFT);
        json_close_object(w);
    } else {
        json_member_str(w, "command", s->command);
        json_member_str(w, "cwd", v->directory);
        json_member_str(w, "toolCallId", id);
    }
    json_close_object(w);
}

static void
put_description(struct json_writer *w, const struct step *s,
                const struct acp_question *q)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (s->description[0])
        buf_printf(&b, "%s\n", s->description);
    if (q->why[0])
        buf_printf(&b, "%s\n", q->why);
    buf_str(&b, q->sandbox);
    if (!b.bad)
        json_member_str(w, "description", b.p);
}

void
acp_draft_question(struct buf *out, const char *session, const char *id,
                   const struct step *s, const struct step_verdict *v,
                   const struct acp_question *q)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "sessionId", session);
    acp_update_put_title(&w, s->command);
    put_description(&w, s, q);
    put_draft_subject(&w, id, s, v);
    acp_update_put_answers(&w, q->rule);
    json_close_object(&w);
}

/* The content of a call: a file's two texts become a patch. */
static void
replay_content(struct json_writer *w, const struct json *list)
{
    json_open_array(w);
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        const char *type = json_get_str(v, "type");
        const char *path = json_get_str(v, "path");
        const char *new = json_get_str(v, "newText");

        if (!type || strcmp(type, "diff") != 0)
            json_put_value(w, v);
        else if (path && new)
            acp_patch_put(w, path, json_get_str(v, "oldText"), new, false);
    }
    json_close_array(w);
}

static void
replay_call(struct json_writer *w, const struct json *update)
{
    for (const struct json *m = json_first(update); m; m = json_next(m)) {
        size_t n;
        const char *name = json_name(m, &n);

        if (strcmp(name, "sessionUpdate") == 0)
            continue;
        json_keyn(w, name, n);
        if (strcmp(name, "content") == 0)
            replay_content(w, m);
        else
            json_put_value(w, m);
    }
}

static void
replay_chunk(struct json_writer *w, const struct json *update, int64_t number)
{
    const char *id = json_get_str(update, "messageId");
    char own[32];

    snprintf(own, sizeof(own), "item%lld", (long long)number);
    json_member_str(w, "messageId", id ? id : own);
    json_key(w, "content");
    json_put_value(w, json_get(update, "content"));
}

void
acp_draft_replay(struct buf *out, const struct json *params, int64_t number)
{
    const struct json *update = json_get(params, "update");
    const char *session = json_get_str(params, "sessionId");
    const char *kind = json_get_str(update, "sessionUpdate");
    bool call = kind && strncmp(kind, "tool_call", 9) == 0;
    struct json_writer w;

    if (!session || !kind || (!call && !json_get(update, "content")))
        return;
    acp_update_open(&w, out, session, call ? "tool_call_update" : kind);
    if (call)
        replay_call(&w, update);
    else
        replay_chunk(&w, update, number);
    acp_update_close(&w);
}
