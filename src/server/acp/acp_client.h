/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_client.h - what an editor says of itself in `initialize`, and the answer.
 *
 * The folder server/acp/ is the way in for editors: an agent on standard input
 * and output that speaks JSON-RPC 2.0 in lines. It has three dialects, chosen
 * by protocolVersion: a string is the oldest one, with updates of four types;
 * an integer is the Agent Client Protocol, version 1, or the draft of its
 * version 2 where the settings allow that and exactly 2 is asked for. It knows
 * no other way in, and nothing of how a request is answered: it makes a session
 * (acp_session.h) and listens to its turns (action/turn.h). What can fail: the
 * editor's messages, which are bytes from outside, the model and the tools. */
#ifndef SERVER_ACP_ACP_CLIENT_H
#define SERVER_ACP_ACP_CLIENT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "json/json.h"

/* The method of authentication that needs nothing of the editor. */
#define ACP_AGENT_METHOD "agent"

enum acp_dialect {
    ACP_NOT_INITIALIZED,
    ACP_SIMPLE, /* protocolVersion is a string */
    ACP_V1,     /* it is an integer */
    ACP_DRAFT,  /* it is 2, and the settings allow the draft of that version */
};

/* What the client has declared; false where it has not declared it. */
struct acp_client {
    enum acp_dialect dialect;
    bool reads_files, writes_files; /* fs/read_text_file, fs/write_text_file */
    bool takes_notices;             /* session.notices */
    bool fills_forms;               /* elicitation.form */
    bool runs_setup;                /* auth.terminal: `agentsh setup` */
    char name[64], version[64];     /* "": not told */
};

/* Reads the params of `initialize`. draft: version 2 is spoken. ERR_INVALID:
 * protocolVersion is missing, or neither a string nor an integer; or what
 * version 2 needs is missing. */
int acp_client_read(const struct json *params, bool draft, struct acp_client *c,
                    struct err *e);

/* Whether its dialect has a method of ours. */
bool acp_client_has_method(const struct acp_client *c, const char *name);

/* Writes the result of `initialize`. ready: a provider, or the offline engine,
 * can be asked. images: it takes images. */
void acp_client_answer(const struct acp_client *c, bool ready, bool images,
                       struct buf *out);

/* Whether the client was offered this way to log in. */
bool acp_client_has_login(const struct acp_client *c, const char *id);

#endif
