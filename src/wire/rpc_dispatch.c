/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_dispatch.c - dispatches the messages of a peer. */
#include "wire/rpc_dispatch.h"

#include <string.h>

static const struct rpc_method *
find_method(const struct rpc_dispatch *d, const char *name)
{
    const struct rpc_method *row = d->set->methods;

    while (row->name && strcmp(row->name, name) != 0)
        row++;
    return row->name ? row : NULL;
}

/* Whether a message is refused: the code, or 0. */
static int
check_message(struct rpc_dispatch *d, const struct jsonrpc *m,
              const struct rpc_method *row, bool *anonymous, struct err *e)
{
    int code = d->set->events->check
                   ? d->set->events->check(d->set->arg, m, row, anonymous, e)
                   : 0;

    if (code != 0)
        return code;
    if (!row || (m->id && !row->request)) {
        err_set(e, ERR_NOT_FOUND, "method not found: %s", m->method);
        return JSONRPC_NO_METHOD;
    }
    if (m->fault && !row->any_params) /* the parser's text says why */
        return m->fault;
    if (m->id && d->requests.n >= d->set->limits.requests) {
        err_set(e, ERR_NOMEM, "more than %zu requests are open",
                d->set->limits.requests);
        return JSONRPC_INTERNAL;
    }
    return 0;
}

/* What is wrong with the id; NULL: nothing. */
static const char *
wrong_id(const struct rpc_dispatch *d, const char *id)
{
    const struct rpc_events *ev = d->set->events;

    return ev->check_id ? ev->check_id(d->set->arg, id) : NULL;
}

/* e has the text of the parser, where it found a fault in the params. */
static void
take_rpc_request(struct rpc_dispatch *d, struct jsonrpc *m, void *way,
                 struct err *e)
{
    const struct rpc_method *row = find_method(d, m->method);
    struct rpc_request *rq;
    bool anonymous = false;
    int code = check_message(d, m, row, &anonymous, e);

    if (d->dead)
        return;
    if (code != 0 && (m->id || anonymous))
        d->refuse(d->rpc, way, anonymous ? NULL : m->id, code, e->text);
    else if (code == 0 && m->id &&
             (rq = rpc_requests_add(&d->requests, d->rpc, &m->id)) != NULL) {
        rq->way = way;
        rq->message = &m->root;
        row->request(d->set->arg, rq, m->params);
    } else if (code == 0 && m->id)
        d->refuse(d->rpc, way, m->id, JSONRPC_INTERNAL, "out of memory");
    else if (code == 0 && row->cancels)
        rpc_requests_cancel(&d->requests, json_get(m->params, row->cancels));
    else if (code == 0 && row->notice)
        row->notice(d->set->arg, m->params);
}

static void
take_answer(struct rpc_dispatch *d, const struct jsonrpc *m)
{
    struct rpc_call *c = rpc_calls_find(&d->calls, m);

    if (c)
        rpc_call_conclude(c, m, NULL);
    else if (d->set->events->stray)
        d->set->events->stray(d->set->arg, m);
}

/* An invalid message. An invalid answer ends the call it is meant for, and is
 * not answered itself. */
static void
take_faulty(struct rpc_dispatch *d, const struct jsonrpc *m, void *way,
            struct err *e)
{
    bool asks = !m->root || json_get(m->root, "method");
    struct rpc_call *c = asks ? NULL : rpc_calls_find(&d->calls, m);

    if (!c) {
        d->refuse(d->rpc, way, m->id && wrong_id(d, m->id) ? NULL : m->id,
                  m->fault, e->text);
        return;
    }
    e->code = ERR_PEER;
    err_wrap(e, "the answer");
    rpc_call_conclude(c, NULL, e);
}

void
rpc_dispatch_message(struct rpc_dispatch *d, struct jsonrpc *m, int rc,
                     void *way, struct err *e)
{
    bool answers = m->kind == JSONRPC_RESULT || m->kind == JSONRPC_ERROR;
    const char *why;

    if (rc < 0 && m->fault != JSONRPC_INVALID_PARAMS)
        take_faulty(d, m, way, e);
    else if ((why = wrong_id(d, m->id)) != NULL)
        d->refuse(d->rpc, way, NULL, JSONRPC_INVALID_REQUEST, why);
    else if (answers && d->set->events->check_id)
        d->refuse(d->rpc, way, m->id, JSONRPC_INVALID_REQUEST,
                  "method: must be a string");
    else if (answers)
        take_answer(d, m);
    else
        take_rpc_request(d, m, way, e);
}
