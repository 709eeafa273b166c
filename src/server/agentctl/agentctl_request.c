/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_request.c - requests of HTTP that are answered later. */
#include "server/agentctl/agentctl_request.h"

#include <stdlib.h>

#include "server/agentctl/agentctl_answer.h"
#include "server/agentctl/agentctl_message.h"

#define DETAILS_MAX (16u << 10)

static void
agent_request_free(struct agentctl_request *r)
{
    *(r->prev ? &r->prev->next : &r->all->first) = r->next;
    if (r->next)
        r->next->prev = r->prev;
    if (r->c)
        http_on_leaving(r->c, NULL, NULL, NULL);
    agentctl_reading_done(&r->reading);
    free(r);
}

struct http_connection *
agentctl_request_take(struct agentctl_request *r)
{
    struct http_connection *c = r->c;

    agent_request_free(r);
    return c;
}

void
agentctl_request_conclude(struct agentctl_request *r, int status,
                          const char *text)
{
    struct server_http *http = r->all->http;
    struct http_connection *c = agentctl_request_take(r);

    if (c)
        agentctl_answer_outcome(http, c, status, text);
}

void
agentctl_request_fail(struct agentctl_request *r, int status, bool invalid,
                      const char *message)
{
    CLEANUP_BUF struct buf details = buf_of(DETAILS_MAX);
    const struct agentctl_requests *all = r->all;
    struct http_connection *c = agentctl_request_take(r);

    if (!c)
        return;
    if (status >= 500)
        agentctl_agent_put_errors(all->agent, &details);
    agentctl_answer_error(all->http, c, status, invalid, message, details.p);
}

void
agentctl_request_refuse(struct agentctl_request *r, const struct err *e)
{
    agentctl_request_fail(r, 400, e->code != ERR_PARSE, e->text);
}

/* It may only have shut its side: a call is answered all the same, unless
 * others need the place. */
static void
on_request_left(void *arg)
{
    struct agentctl_request *r = arg;

    agentctl_agent_yield_calls(r->all->agent, r);
}

static void
on_request_gone(void *arg)
{
    struct agentctl_request *r = arg;

    r->c = NULL;
    on_request_left(r);
    if (r->waits == AGENTCTL_FOR_START || r->waits == AGENTCTL_FOR_STOP)
        agent_request_free(r); /* nothing else is left to do for it */
}

static void
on_request_body(void *arg, struct jsonrpc *m, int rc, struct err *e)
{
    struct agentctl_request *r = arg;

    if (!r->c) {
        agent_request_free(r);
        return;
    }
    /* for a client that left meanwhile, whose call there will be in a moment */
    http_on_leaving(r->c, on_request_left, on_request_gone, r);
    r->run(r, m, rc, e);
}

void
agentctl_request_begin(struct agentctl_requests *all, struct http_connection *c,
                       agentctl_request_run *run)
{
    struct http_incoming *in = http_connection_request(c);
    struct agentctl_request *r = calloc(1, sizeof(*r));
    struct jsonrpc none = {0};
    struct err empty = {0};

    if (!r) {
        agentctl_answer_error(all->http, c, 503, false, "out of memory", NULL);
        return;
    }
    *r = (struct agentctl_request){
        .all = all, .c = c, .run = run, .next = all->first};
    agentctl_reading_init(&r->reading);
    if (r->next)
        r->next->prev = r;
    all->first = r;
    http_on_leaving(c, on_request_left, on_request_gone, r);
    if (in->body.len == 0) {
        err_set(&empty, ERR_PARSE, "it is empty");
        run(r, &none, 0, &empty);
        return;
    }
    (void)agentctl_message_parse(&r->reading, all->loop, in->body.p,
                                 in->body.len, &in->body, on_request_body, r);
}

void
agentctl_requests_done(struct agentctl_requests *all)
{
    while (all->first)
        agent_request_free(all->first);
}
