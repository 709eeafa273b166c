/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_handshake.c - the first requests to an agent, until it has a session.
 */
#include "server/gateway/agent_handshake.h"

#include <stdlib.h>

void
agent_handshake_done(struct agent_handshake *h)
{
    free(h->wanted);
    h->wanted = NULL;
}

void
agent_handshake_begin(struct agent_handshake *h, int64_t id, struct buf *out)
{
    agent_request_initialize(out, h->speaks, id);
}

/* A new session, or the wanted one by what the agent can. */
static int
ask_session(struct agent_handshake *h, const char *directory, int64_t id,
            struct buf *out)
{
    h->opens = true;
    agent_request_session(out, h->speaks, id, h->wanted, h->can_resume,
                          directory);
    return 0;
}

/* Reads what the agent speaks, and what it can. */
static int
read_initialized(struct agent_handshake *h, const struct json *result,
                 struct err *e)
{
    const struct json *can = json_get(result, "agentCapabilities");
    int64_t number = AGENT_PUBLIC_VERSION;

    h->speaks = json_int(json_get(result, "protocolVersion"), &number)
                    ? SPEAKS_PUBLIC
                    : SPEAKS_DIALECT;
    if (number != AGENT_PUBLIC_VERSION)
        return err_set(e, ERR_PEER,
                       "it speaks version %lld of the protocol alone",
                       (long long)number);
    (void)json_bool(json_get(can, "loadSession"), &h->can_load);
    h->can_resume = json_type(json_get(json_get(can, "sessionCapabilities"),
                                       "resume")) == JSON_OBJECT;
    if (h->speaks == SPEAKS_PUBLIC && !h->can_load && !h->can_resume)
        agent_handshake_done(h);
    return 0;
}

static int
take_initialized(struct agent_handshake *h, const struct jsonrpc *m,
                 const char *directory, int64_t id, struct buf *out,
                 struct err *e)
{
    if (m->kind == JSONRPC_ERROR && h->speaks == SPEAKS_PUBLIC) {
        h->speaks = SPEAKS_DIALECT;
        agent_handshake_begin(h, id, out);
        return 0;
    }
    if (m->kind == JSONRPC_ERROR) {
        agent_request_error(m, "initialize", e);
        return -1;
    }
    return read_initialized(h, m->result, e) < 0
               ? -1
               : ask_session(h, directory, id, out);
}

int
agent_handshake_answer(struct agent_handshake *h, const struct jsonrpc *m,
                       const char *directory, int64_t id, struct buf *out,
                       const char **session, struct err *e)
{
    const char *opened = json_get_str(m->result, "sessionId");

    if (!h->opens)
        return take_initialized(h, m, directory, id, out, e);
    if (m->kind == JSONRPC_ERROR && h->wanted) {
        agent_handshake_done(h); /* a new one instead */
        return ask_session(h, directory, id, out);
    }
    if (m->kind == JSONRPC_ERROR) {
        agent_request_error(m, "session/new", e);
        return -1;
    }
    if (!opened && !h->wanted)
        return err_set(e, ERR_PEER, "session/new: an answer without sessionId");
    *session = opened ? opened : h->wanted;
    return 1;
}
