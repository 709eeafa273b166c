/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_update.c - writes the params of `session/update` that are no tool call.
 */
#include "server/acp/acp_update.h"

#include "base/array.h"
#include "json/write.h"

void
acp_update_open(struct json_writer *w, struct buf *out, const char *session,
                const char *kind)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "sessionId", session);
    json_key(w, "update");
    json_open_object(w);
    json_member_str(w, "sessionUpdate", kind);
}

void
acp_update_close(struct json_writer *w)
{
    json_close_object(w);
    json_close_object(w);
}

void
acp_update_chunk(struct buf *out, const char *session, const char *kind,
                 const char *text, size_t n, const char *id)
{
    struct json_writer w;

    acp_update_open(&w, out, session, kind);
    json_key(&w, "content");
    json_open_object(&w);
    json_member_str(&w, "type", "text");
    json_key(&w, "text");
    json_put_strn(&w, text, n);
    json_close_object(&w);
    if (id)
        json_member_str(&w, "messageId", id);
    acp_update_close(&w);
}

void
acp_update_put_entries(struct json_writer *w, const struct aiaction *a,
                       size_t at, bool running, const char *rest)
{
    json_key(w, "entries");
    json_open_array(w);
    for (size_t i = 0; i < a->n; i++) {
        const struct step *s = &a->steps[i];

        json_open_object(w);
        json_member_str(w, "content",
                        s->description[0] ? s->description : s->command);
        json_member_str(w, "priority", "medium");
        json_member_str(w, "status",
                        i < at               ? "completed"
                        : i == at && running ? "in_progress"
                                             : rest);
        json_close_object(w);
    }
    json_close_array(w);
}

void
acp_update_plan(struct buf *out, const char *session, const struct aiaction *a,
                size_t at, bool running)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "plan");
    acp_update_put_entries(&w, a, at, running, "pending");
    acp_update_close(&w);
}

void
acp_update_put_commands(struct json_writer *w, enum acp_dialect d)
{
    static const struct {
        const char *name, *description, *hint;
    } rows[] = {
        {"do", "plan a job and run it, step by step", "what is to be done"},
        {"run", "propose one command and run it", "what it should do"},
        {"explain", "explain a command line, or answer; runs nothing",
         "a command line, or a question"},
    };

    json_key(w, "availableCommands");
    json_open_array(w);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        json_open_object(w);
        if (d == ACP_DRAFT)
            json_member_str(w, "type", "command");
        json_member_str(w, "name", rows[i].name);
        json_member_str(w, "description", rows[i].description);
        json_key(w, "input");
        json_open_object(w);
        if (d == ACP_DRAFT)
            json_member_str(w, "type", "text");
        json_member_str(w, "hint", rows[i].hint);
        json_close_object(w);
        json_close_object(w);
    }
    json_close_array(w);
}

void
acp_update_commands(struct buf *out, const char *session)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "available_commands_update");
    acp_update_put_commands(&w, ACP_V1);
    acp_update_close(&w);
}

void
acp_update_title(struct buf *out, const char *session, const char *title)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "session_info_update");
    json_member_str(&w, "title", title);
    acp_update_close(&w);
}

void
acp_update_notice(struct buf *out, const char *session, const char *severity,
                  const char *title)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "notice");
    json_member_str(&w, "severity", severity);
    json_member_str(&w, "title", title);
    acp_update_close(&w);
}

void
acp_update_options(struct buf *out, const char *session,
                   const struct acp_options *o)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "config_option_update");
    json_key(&w, "configOptions");
    acp_options_put(&w, o, "id");
    acp_update_close(&w);
}

void
acp_update_mode(struct buf *out, const char *session,
                const struct acp_options *o)
{
    struct json_writer w;

    acp_update_open(&w, out, session, "current_mode_update");
    json_member_str(&w, "currentModeId", acp_options_mode(o));
    acp_update_close(&w);
}

void
acp_update_usage(struct buf *out, const char *session, int64_t used,
                 double cost, const char *currency)
{
    int64_t size = used > ACP_CONTEXT_TOKENS ? used : ACP_CONTEXT_TOKENS;
    struct json_writer w;

    acp_update_open(&w, out, session, "usage_update");
    json_member_int(&w, "used", used);
    json_member_int(&w, "size", size);
    if (currency) {
        json_key(&w, "cost");
        json_open_object(&w);
        json_key(&w, "amount");
        json_put_num(&w, cost);
        json_member_str(&w, "currency", currency);
        json_close_object(&w);
    }
    acp_update_close(&w);
}
