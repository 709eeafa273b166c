/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_thread.c - parses a long message of JSON-RPC in a thread. */
#include "wire/parse_thread.h"

#include "base/worker.h"

struct parse_thread {
    struct worker *worker;
    struct buf text;
    size_t n;
    struct jsonrpc m;
    struct err why;
    int rc;
    struct parse_thread_more more;
    parse_thread_cb *cb;
    void *arg;
};

void
parse_thread_free(struct parse_thread *p)
{
    if (!p)
        return;
    worker_free(p->worker);
    buf_done(&p->text);
    jsonrpc_done(&p->m);
    free(p);
}

static void
parse_in_thread(void *arg)
{
    struct parse_thread *p = arg;

    p->rc = jsonrpc_parse(p->text.p, p->n, &p->m, &p->why);
    if (p->more.then)
        p->more.then(p->more.arg, &p->m);
    if (!p->more.text)
        buf_done(&p->text); /* which takes its time too */
}

static void
on_parsed(void *arg)
{
    struct parse_thread *p = arg;
    struct jsonrpc m = p->m;
    struct err why = p->why;
    int rc = p->rc;

    p->m = (struct jsonrpc){0};
    if (p->more.text) {
        *p->more.text = p->text;
        buf_init(&p->text, 0);
    }
    p->cb(p->arg, &m, rc, &why);
    jsonrpc_done(&m);
}

struct parse_thread *
parse_thread_start_with(struct loop *l, const struct parse_thread_more *more,
                        struct buf *text, size_t n, parse_thread_cb *cb,
                        void *arg)
{
    struct parse_thread *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->text = *text;
    p->n = n;
    p->more = *more;
    p->cb = cb;
    p->arg = arg;
    p->worker = worker_start(l, parse_in_thread, on_parsed, p, NULL);
    if (!p->worker) {
        free(p);
        return NULL;
    }
    buf_init(text, 0);
    return p;
}

struct parse_thread *
parse_thread_start(struct loop *l, struct buf *text, size_t n,
                   parse_thread_cb *cb, void *arg)
{
    static const struct parse_thread_more nothing;

    return parse_thread_start_with(l, &nothing, text, n, cb, arg);
}
