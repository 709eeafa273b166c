/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_session.h - one session of the protocol over HTTP, and its streams.
 *
 * Of the handshake eras: from `initialize` on, with an id that nobody guesses.
 * Or the one for all requests of 2026-07-28, which know of no session. A
 * request is answered by one JSON object, or, where other messages that are
 * about it come first or the answer takes long, by an event stream. */
#ifndef SERVER_MCP_MCP_HTTP_SESSION_H
#define SERVER_MCP_MCP_HTTP_SESSION_H

#include "server/mcp/mcp_service.h"
#include "wire/http_connection.h"

#define MCP_HTTP_STREAM_AFTER_MS 5000  /* a request without an answer */
#define MCP_HTTP_ALIVE_MS        15000 /* between comments in a silent stream */

struct mcp_http_session;

struct mcp_http_session_setup {
    struct mcp_service_setup service; /* carrier and ended are filled in */
    bool stateless;                   /* for 2026-07-28 */
    /* Appends the fields that an answer needs. */
    void (*put_fields)(void *arg, struct http_connection *c, struct buf *out);
    void *arg;
};

struct mcp_http_session *
mcp_http_session_new(const struct mcp_http_session_setup *set, struct err *e);
/* Ends what runs, and answers requests that are open. Accepts NULL. */
void mcp_http_session_free(struct mcp_http_session *s);
DEFINE_CLEANUP(struct mcp_http_session, mcp_http_session_free)
/* The connections are gone: they are not answered. */
void mcp_http_session_forget(struct mcp_http_session *s);

const char *mcp_http_session_id(const struct mcp_http_session *s);
/* Whether `initialize` has been answered with success. */
bool mcp_http_session_is_open(const struct mcp_http_session *s);

/* The schema of a tool's arguments; NULL: none is known. */
const struct json *mcp_http_session_tool_schema(struct mcp_http_session *s,
                                                const char *name);

/* Takes a request, which the connection is to be answered for; of m, what the
 * request needs is taken. bad_frame: the answer will be an error of HTTP too.
 */
void mcp_http_session_request(struct mcp_http_session *s,
                              struct http_connection *c, struct jsonrpc *m,
                              int rc, bool bad_frame, struct err *e);
/* Takes a notification, or an answer to a request of ours. */
void mcp_http_session_notice(struct mcp_http_session *s, struct jsonrpc *m,
                             int rc, struct err *e);

/* Opens the stream for what is about no request, or the one of which last is an
 * event; NULL: none. An older one for the same is ended. False: there is no
 * such event. */
bool mcp_http_session_listen(struct mcp_http_session *s,
                             struct http_connection *c, const char *last);

/* Called now and then. */
void mcp_http_session_tick(struct mcp_http_session *s, int64_t now_ms);
/* For how long nobody has used it, in ms; -1: somebody does. */
int64_t mcp_http_session_idle_ms(const struct mcp_http_session *s,
                                 int64_t now_ms);

/* What answers its requests; borrowed. */
struct mcp_service *mcp_http_session_service(const struct mcp_http_session *s);

/* Lets what runs end, for so many ms at most. */
void mcp_http_session_stop(struct mcp_http_session *s, int64_t ms);
bool mcp_http_session_has_stopped(const struct mcp_http_session *s);
/* Answers all requests that are open with the error that the server has ended.
 * Done when that time is over, too. */
void mcp_http_session_refuse_open(struct mcp_http_session *s);

#endif
