/* SPDX-License-Identifier: GPL-3.0-or-later */
/* post.h - one message on its way to the server, until it is answered.
 *
 * A redirect within the server is followed, and a stream that is cut off before
 * the answer is taken up again where the server allows it. */
#ifndef MODEL_MCP_HTTP_POST_H
#define MODEL_MCP_HTTP_POST_H

#include "model/mcp_http/endpoint.h"
#include "model/mcp_http/request_headers.h"
#include "model/process/curl_loop.h"
#include "wire/jsonrpc.h"

/* What all of them use. */
struct post_means {
    struct loop *loop;
    struct curl_loop *curl;
    struct endpoint to;
    struct request_headers_session session;
    struct tool_schemas tools;
};

enum post_kind {
    POST_MESSAGE, /* is sent, with its line */
    POST_LISTEN,  /* opens the stream of what belongs to no request */
    POST_CLOSE,   /* ends the session */
};

struct post;

struct post_events {
    /* A message of the server, in any number of lines. m NULL: it is no message
     * of JSON-RPC. It must not free the post. */
    void (*message)(void *arg, struct post *p, const char *text, size_t n,
                    const struct jsonrpc *m);
    /* Nothing follows, unless it is sent again. May free the post. */
    void (*ended)(void *arg, struct post *p);
};

/* means, ev and arg are borrowed until post_free. line: a message; NULL for the
 * other kinds. ERR_INVALID: it is none. */
struct post *post_new(struct post_means *means, enum post_kind kind,
                      const char *line, size_t n, const struct post_events *ev,
                      void *arg, struct err *e);
void post_free(struct post *p); /* accepts NULL; its connection is closed */
DEFINE_CLEANUP(struct post, post_free)

/* Sends it again, after `ended`, with the session as it is now. */
int post_again(struct post *p, struct err *e);

enum post_kind post_kind(const struct post *p);
/* The message that is sent; NULL: none. */
const struct jsonrpc *post_request(const struct post *p);
/* Whether it is a request without a response so far. */
bool post_awaits_answer(const struct post *p);

/* Takes no more of the answer, or goes on; post_resume may end it. */
void post_pause(struct post *p);
void post_resume(struct post *p);

/* The session that the server has named in its answer; "": none. */
const char *post_session(const struct post *p);

/* After `ended`: */
/* Whether the server took it. */
bool post_was_accepted(const struct post *p);
/* Whether the server does not know the session that it was sent in. */
bool post_lost_session(const struct post *p);
/* Appends the error that answers the request in place of the server. */
void post_put_failure(const struct post *p, struct buf *out);

#endif
