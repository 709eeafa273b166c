/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_answer.c - answers an editor's requests about sessions. */
#include "server/acp/acp_answer.h"

#include "server/acp/acp_update.h"
#include "json/write.h"

#define ANSWER_MAX (1u << 20)
#define NO_SESSION -32002 /* of the draft's schema */

void
acp_answer_failure(struct rpc_request *rq, const struct err *why)
{
    bool params = why->code == ERR_INVALID || why->code == ERR_NOT_FOUND ||
                  why->code == ERR_PERMISSION || why->sys == ENAMETOOLONG ||
                  why->sys == ELOOP;

    rpc_refuse(rq, params ? JSONRPC_INVALID_PARAMS : JSONRPC_INTERNAL,
               why->text, NULL);
}

void
acp_answer_bad_params(struct rpc_request *rq, const char *why)
{
    rpc_refuse(rq, JSONRPC_INVALID_PARAMS, why, NULL);
}

void
acp_answer_no_session(const struct acp_editor *ed, const char *id,
                      struct rpc_request *rq)
{
    static const char none[] = "sessionId: there is no such session";
    CLEANUP_BUF struct buf data = buf_of(ANSWER_MAX);
    struct json_writer w;

    if (!id) {
        acp_answer_bad_params(rq, "sessionId: must be a string");
        return;
    }
    if (ed->client.dialect != ACP_DRAFT) {
        acp_answer_bad_params(rq, none);
        return;
    }
    json_write_init(&w, &data);
    json_open_object(&w);
    json_member_str(&w, "sessionId", id);
    json_close_object(&w);
    rpc_refuse(rq, NO_SESSION, none, data.bad ? NULL : &data);
}

void
acp_answer_busy(struct rpc_request *rq)
{
    rpc_refuse(rq, JSONRPC_INVALID_REQUEST,
               "a prompt of this session is under way", NULL);
}

void
acp_answer_nothing(struct rpc_request *rq)
{
    CLEANUP_BUF struct buf b = buf_of(8);

    buf_str(&b, "{}");
    rpc_answer(rq, &b);
}

static void
put_config_options(struct json_writer *w, const struct acp_session *s)
{
    bool draft = s->dialect == ACP_DRAFT;

    json_key(w, "configOptions");
    acp_options_put(w, &s->options, draft ? "configId" : "id");
}

static void
put_session_answer(const struct acp_session *s, bool id, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    if (id)
        json_member_str(&w, "sessionId", s->id);
    if (s->dialect == ACP_V1)
        acp_options_put_modes(&w, &s->options);
    if (s->dialect != ACP_SIMPLE)
        put_config_options(&w, s);
    if (s->dialect == ACP_DRAFT)
        acp_update_put_commands(&w, ACP_DRAFT);
    json_close_object(&w);
}

static void
send_commands(struct acp_editor *ed, const struct acp_session *s)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (s->dialect != ACP_V1)
        return;
    acp_update_commands(&b, s->id);
    acp_editor_notify(ed, &b);
}

void
acp_answer_new(struct acp_editor *ed, const struct acp_session *s,
               struct rpc_request *rq)
{
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);

    put_session_answer(s, true, &b);
    rpc_answer(rq, &b);
    send_commands(ed, s);
}

void
acp_answer_loaded(struct acp_editor *ed, const struct acp_session *s,
                  struct rpc_request *rq)
{
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);
    struct json_writer w;

    if (s->dialect == ACP_SIMPLE) {
        json_write_init(&w, &b);
        json_open_object(&w);
        json_member_str(&w, "sessionId", s->id);
        json_member_bool(&w, "loaded", true);
        json_close_object(&w);
    } else {
        put_session_answer(s, false, &b);
    }
    rpc_answer(rq, &b);
    send_commands(ed, s);
}

void
acp_answer_option(const struct acp_session *s, struct rpc_request *rq)
{
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    put_config_options(&w, s);
    json_close_object(&w);
    rpc_answer(rq, &b);
}

void
acp_answer_send_options(struct acp_session *s, const struct acp_editor *but)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_options(&b, s->id, &s->options);
    acp_editors_notify_others(s, but, &b);
}

void
acp_answer_send_mode(struct acp_session *s)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_mode(&b, s->id, &s->options);
    acp_editors_notify(s, &b);
}
