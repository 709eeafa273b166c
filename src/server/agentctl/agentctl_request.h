/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_request.h - requests of HTTP that are answered later. */
#ifndef SERVER_AGENTCTL_AGENTCTL_REQUEST_H
#define SERVER_AGENTCTL_AGENTCTL_REQUEST_H

#include "server/agentctl/agentctl_agent.h"
#include "server/server_http.h"

/* What a request waits for. */
enum agentctl_waits {
    AGENTCTL_FOR_BODY,   /* to be parsed */
    AGENTCTL_FOR_ANSWER, /* the agent's, which it is the argument of */
    AGENTCTL_FOR_START,
    AGENTCTL_FOR_STOP,
    AGENTCTL_FOR_RESTART,
};

struct agentctl_request;

/* Takes the body; of one that is empty m->root is NULL, and why says so. */
typedef void agentctl_request_run(struct agentctl_request *r, struct jsonrpc *m,
                                  int rc, const struct err *why);

struct agentctl_requests {
    struct loop *loop;
    struct server_http *http;
    struct agentctl_agent *agent; /* whose errors are the details of some */
    struct agentctl_request *first;
    void *arg; /* of who runs them */
};

struct agentctl_request {
    struct agentctl_requests *all;
    struct agentctl_request *prev, *next;
    enum agentctl_waits waits;
    /* private */
    struct http_connection *c; /* NULL: the client is gone */
    agentctl_request_run *run;
    struct agentctl_reading reading; /* of its body */
};

/* Reads the body, and calls run, now or later. */
void agentctl_request_begin(struct agentctl_requests *all,
                            struct http_connection *c,
                            agentctl_request_run *run);

/* The request is over, and freed. Returns its connection, to be answered; NULL:
 * the client is gone. */
struct http_connection *agentctl_request_take(struct agentctl_request *r);

/* Answers it (agentctl_answer.h), and frees it. */
void agentctl_request_conclude(struct agentctl_request *r, int status,
                               const char *text);
void agentctl_request_fail(struct agentctl_request *r, int status, bool invalid,
                           const char *message);
/* Its body cannot be used. */
void agentctl_request_refuse(struct agentctl_request *r, const struct err *e);

/* Frees those that are left, without an answer. */
void agentctl_requests_done(struct agentctl_requests *all);

#endif
