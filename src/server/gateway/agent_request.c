/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_request.c - writes what the gateway asks an agent, and reads a
 * refusal. */
#include "server/gateway/agent_request.h"

static void
begin_params(struct json_writer *w, struct buf *out, int64_t id,
             const char *method)
{
    jsonrpc_begin_request(w, out, id, method);
    jsonrpc_params(w);
    json_open_object(w);
}

static void
end_params(struct json_writer *w)
{
    json_close_object(w);
    jsonrpc_end(w);
}

static void
put_client(struct json_writer *w)
{
    json_key(w, "clientInfo");
    json_open_object(w);
    json_member_str(w, "name", "agentsh-gateway");
    json_member_str(w, "title", "agentsh gateway");
    json_member_str(w, "version", PACKAGE_VERSION);
    json_close_object(w);
}

void
agent_request_initialize(struct buf *out, enum agent_protocol p, int64_t id)
{
    struct json_writer w;

    begin_params(&w, out, id, "initialize");
    if (p == SPEAKS_PUBLIC) {
        json_member_int(&w, "protocolVersion", AGENT_PUBLIC_VERSION);
        json_key(&w, "clientCapabilities");
        json_open_object(&w);
        json_close_object(&w);
    } else {
        json_member_str(&w, "protocolVersion", AGENT_DIALECT);
        json_key(&w, "capabilities");
        json_open_object(&w);
        json_member_bool(&w, "streaming", true);
        json_close_object(&w);
    }
    put_client(&w);
    end_params(&w);
}

void
agent_request_session(struct buf *out, enum agent_protocol p, int64_t id,
                      const char *session, bool resume, const char *directory)
{
    struct json_writer w;

    begin_params(&w, out, id,
                 !session ? "session/new"
                 : resume ? "session/resume"
                          : "session/load");
    if (session)
        json_member_str(&w, "sessionId", session);
    if (p == SPEAKS_PUBLIC) {
        json_member_str(&w, "cwd", directory);
        json_key(&w, "mcpServers");
        json_open_array(&w);
        json_close_array(&w);
    }
    end_params(&w);
}

void
agent_request_prompt(struct buf *out, enum agent_protocol p, int64_t id,
                     const char *session, const char *text)
{
    struct json_writer w;

    begin_params(&w, out, id, "session/prompt");
    json_member_str(&w, "sessionId", session);
    if (p == SPEAKS_PUBLIC) {
        json_key(&w, "prompt");
        json_open_array(&w);
        json_open_object(&w);
        json_member_str(&w, "type", "text");
        json_member_str(&w, "text", text);
        json_close_object(&w);
        json_close_array(&w);
    } else {
        json_member_str(&w, "message", text);
    }
    end_params(&w);
}

void
agent_request_cancel(struct buf *out, enum agent_protocol p,
                     const char *session)
{
    struct json_writer w;

    jsonrpc_begin_notification(&w, out, "session/cancel");
    jsonrpc_params(&w);
    json_open_object(&w);
    json_member_str(&w, "sessionId", session);
    if (p == SPEAKS_DIALECT)
        json_member_str(&w, "reason", "User requested cancellation");
    end_params(&w);
}

void
agent_request_error(const struct jsonrpc *m, const char *what, struct err *e)
{
    err_set(e, ERR_PEER, "%s: %s (%lld)", what, m->message ? m->message : "",
            (long long)m->code);
}
