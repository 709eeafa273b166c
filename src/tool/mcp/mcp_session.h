/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_session.h - an MCP server's process, and the session with it.
 *
 * One request is open at a time. Which of the two eras (mcp_era.h) a server
 * speaks is found out by server/discover, and, where that is refused or not
 * answered, by `initialize`; who remembers the era of a server spares it that.
 * Requests of the server are answered here (ping, roots/list; all others are
 * refused), and so is the input that a result requires (mcp_input.h). At most
 * MCP_NOISE_MAX lines between two messages may be no JSON. More of them end the
 * session, as do an answer without a request and more than MCP_MESSAGES_MAX
 * messages during one request. */
#ifndef TOOL_MCP_MCP_SESSION_H
#define TOOL_MCP_MCP_SESSION_H

#include "base/buf.h"
#include "tool/manifest.h"
#include "tool/mcp/mcp_config.h"
#include "tool/mcp/mcp_era.h"
#include "tool/plugin_process.h"
#include "wire/jsonrpc.h"

#define MCP_NOISE_MAX    100 /* lines that are no JSON, between messages */
#define MCP_MESSAGES_MAX 10000

struct mcp_session;

/* Each callback but notice may free the session. */
struct mcp_session_events {
    void (*ready)(void *arg); /* it can take a request */
    /* a result or an error, to the open request */
    void (*answer)(void *arg, const struct jsonrpc *m);
    void (*notice)(void *arg, const struct jsonrpc *m); /* may be NULL */
    /* the session is over, and why; called once, last */
    void (*gone)(void *arg, struct err *why);
};

/* All is borrowed until mcp_session_new returns, and the server while the
 * session lives. */
struct mcp_session_params {
    const struct mcp_server *server;
    const struct spawn *how;
    struct zygote_client *zygote; /* may be NULL */
    const char *workspace;        /* NULL: there is none */
    enum mcp_era era;             /* what it spoke the last time */
};

/* Starts the server. `ready` follows, or `gone`. */
struct mcp_session *mcp_session_new(struct loop *l,
                                    const struct mcp_session_params *p,
                                    struct err *e);
void mcp_session_free(struct mcp_session *s); /* kills its tree */
DEFINE_CLEANUP(struct mcp_session, mcp_session_free)
void
mcp_session_terminate(struct mcp_session *s); /* plugin_process_terminate */

/* plugin_process_end: cb may free the session. Its server is not needed any
 * more. */
int mcp_session_end(struct mcp_session *s, loop_cb *cb, void *arg,
                    struct err *e);

/* Who gets the events from now on. */
void mcp_session_set_events(struct mcp_session *s,
                            const struct mcp_session_events *ev, void *arg);

/* method is a literal. params: one JSON object without _meta, or NULL.
 * progress: notices of it are wanted. The list of tools may be asked for twice,
 * once in each era. */
int mcp_session_request(struct mcp_session *s, const char *method,
                        const struct buf *params, bool progress, struct err *e);
/* Cancels the open request. Nothing but mcp_session_free may follow. */
void mcp_session_cancel(struct mcp_session *s, const char *why);

/* Adds to the reason of a failure that the server needs the network, where its
 * command downloads programs and it has not written anything. */
void mcp_session_explain(const struct mcp_session *s, struct err *why);

/* What was started; invalid after mcp_session_end, when that is freed. */
const struct mcp_server *mcp_session_server(const struct mcp_session *s);
/* The version that the server reports. */
const char *mcp_session_version(const struct mcp_session *s);
/* The era that it has spoken; MCP_ERA_UNKNOWN: it has not answered yet. */
enum mcp_era mcp_session_era(const struct mcp_session *s);
/* After `gone`: whether it may have ended since it did not know
 * server/discover, so that a new one may live when MCP_ERA_HANDSHAKE is said.
 */
bool mcp_session_may_shake(const struct mcp_session *s);
/* How many lines without JSON were ignored. */
size_t mcp_session_noise(const struct mcp_session *s);
/* Whether it has reported a change of its tools since the last call of this. */
bool mcp_session_changed(struct mcp_session *s);
/* Whether it can take a request. */
bool mcp_session_is_alive(struct mcp_session *s);
struct plugin_process *mcp_session_process(struct mcp_session *s);

#endif
