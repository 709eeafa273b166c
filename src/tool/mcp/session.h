/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.h - a server's process, and the talk with it.
 *
 * One request is under way at a time. What the server asks meanwhile is
 * answered here (ping, roots/list; the rest is refused). Lines that are no
 * message are passed over until it has answered `initialize`, as some print a
 * greeting; later they end the session, as do an answer that nobody asked for
 * and more than MCP_MESSAGES_MAX messages about one request. */
#ifndef TOOL_MCP_SESSION_H
#define TOOL_MCP_SESSION_H

#include "tool/mcp/entry.h"
#include "tool/peer.h"
#include "wire/jsonrpc.h"

#define MCP_VERSION      "2025-11-25" /* the newest that has `initialize` */
#define MCP_NOISE_MAX    100 /* lines that are no JSON, between messages */
#define MCP_MESSAGES_MAX 10000

struct mcp_session;

/* The session may be freed by any of them but notice. */
struct mcp_events {
    void (*ready)(void *arg); /* it has agreed to talk */
    /* to the request under way: a result or an error */
    void (*answer)(void *arg, const struct jsonrpc *m);
    void (*notice)(void *arg, const struct jsonrpc *m); /* may be NULL */
    /* comes once, last: what went wrong with it */
    void (*gone)(void *arg, struct err *why);
};

/* What starts it, with the variables and the directory of its entry. l needs
 * launch_done in any case. */
int mcp_launch(struct launch *l, const struct mcp_entry *m,
               const struct tool_setting *s, struct err *e);

/* Starts it and greets. m is borrowed as long as the session lives. */
struct mcp_session *mcp_session_new(struct loop *l, const struct mcp_entry *m,
                                    const struct launch *how,
                                    struct zygote_client *spare,
                                    const char *workspace, struct err *e);
void mcp_session_free(struct mcp_session *s); /* ends its tree */
DEFINE_CLEANUP(struct mcp_session, mcp_session_free)
void mcp_session_tell_end(struct mcp_session *s); /* peer_tell_end */

void mcp_session_attend(struct mcp_session *s, const struct mcp_events *ev,
                        void *arg);

/* The next request's number, which is its progress token as well. */
int64_t mcp_session_next(const struct mcp_session *s);
/* params: one JSON value, or NULL. */
int mcp_session_ask(struct mcp_session *s, const char *method,
                    const struct buf *params, struct err *e);
/* Tells it that nobody awaits the answer any more; it is to be freed then. */
void mcp_session_cancel(struct mcp_session *s, const char *why);

/* Puts in front of why it failed that it needs the network, where its command
 * is one that fetches programs and it has not said a word. */
void mcp_session_explain(const struct mcp_session *s, struct err *why);

/* What it calls its version. */
const char *mcp_session_version(const struct mcp_session *s);
/* How many lines it wrote that are no JSON, and were passed over. */
size_t mcp_session_skipped(const struct mcp_session *s);
/* Whether it said, since this was asked last, that its tools are others now. */
bool mcp_session_changed(struct mcp_session *s);
/* Whether it can be asked. */
bool mcp_session_is_alive(struct mcp_session *s);
struct peer *mcp_session_peer(struct mcp_session *s);

#endif
