/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_session.h - an MCP server's process, and the session with it.
 *
 * One request is open at a time. Requests of the server are answered here
 * (ping, roots/list; all others are refused). Lines that are not a message are
 * ignored until the server has answered `initialize`, as some print a greeting.
 * Later they end the session, as do an answer without a request and more than
 * MCP_MESSAGES_MAX messages during one request. */
#ifndef TOOL_MCP_MCP_SESSION_H
#define TOOL_MCP_MCP_SESSION_H

#include "base/buf.h"
#include "tool/manifest.h"
#include "tool/mcp/mcp_config.h"
#include "tool/plugin_process.h"
#include "wire/jsonrpc.h"

#define MCP_VERSION      "2025-11-25" /* the newest that has `initialize` */
#define MCP_NOISE_MAX    100 /* lines that are no JSON, between messages */
#define MCP_MESSAGES_MAX 10000

struct mcp_session;

/* Each callback but notice may free the session. */
struct mcp_session_events {
    void (*ready)(void *arg); /* it has answered `initialize` */
    /* a result or an error, to the open request */
    void (*answer)(void *arg, const struct jsonrpc *m);
    void (*notice)(void *arg, const struct jsonrpc *m); /* may be NULL */
    /* the session is over, and why; called once, last */
    void (*gone)(void *arg, struct err *why);
};

/* Prepares its start, with the variables and the directory of its entry. l
 * needs spawn_done in any case. */
int mcp_session_prepare(struct spawn *l, const struct mcp_server *m,
                        const struct tool_setting *s, struct err *e);

/* Starts the server and sends `initialize`. m is borrowed while the session
 * lives. */
struct mcp_session *mcp_session_new(struct loop *l, const struct mcp_server *m,
                                    const struct spawn *how,
                                    struct zygote_client *zygote,
                                    const char *workspace, struct err *e);
void mcp_session_free(struct mcp_session *s); /* kills its tree */
DEFINE_CLEANUP(struct mcp_session, mcp_session_free)
void
mcp_session_terminate(struct mcp_session *s); /* plugin_process_terminate */

/* Who gets the events from now on. */
void mcp_session_set_events(struct mcp_session *s,
                            const struct mcp_session_events *ev, void *arg);

/* The id of the next request, which is its progress token as well. */
int64_t mcp_session_next_id(const struct mcp_session *s);
/* params: one JSON value, or NULL. */
int mcp_session_request(struct mcp_session *s, const char *method,
                        const struct buf *params, struct err *e);
/* Cancels the open request. Nothing but mcp_session_free may follow. */
void mcp_session_cancel(struct mcp_session *s, const char *why);

/* Adds to the reason of a failure that the server needs the network, where its
 * command downloads programs and it has not written anything. */
void mcp_session_explain(const struct mcp_session *s, struct err *why);

/* The version that the server reports. */
const char *mcp_session_version(const struct mcp_session *s);
/* How many lines without JSON were ignored. */
size_t mcp_session_noise(const struct mcp_session *s);
/* Whether it has reported a change of its tools since the last call of this. */
bool mcp_session_changed(struct mcp_session *s);
/* Whether it can take a request. */
bool mcp_session_is_alive(struct mcp_session *s);
struct plugin_process *mcp_session_process(struct mcp_session *s);

#define MCP_ROOTS_MAX (1u << 20)

/* Appends the result of roots/list: the directories that the needs allow it to
 * read or write. workspace NULL: there is none. */
void mcp_session_write_roots(const struct seat *s,
                             const struct manifest_needs *n,
                             const char *workspace, struct buf *out);

#endif
