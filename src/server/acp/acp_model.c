/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_model.c - selects the model for all sessions. */
#include "server/acp/acp_model.h"

#include <stdint.h>
#include <stdlib.h>

#include "json/write.h"

/* Bytes of all that waits; a message is less. */
#define PARAMS_MAX  (16u << 20)
#define WAITING_MAX 256

/* A request that waits. */
struct waiting_request {
    struct waiting_request *next;
    uint64_t number; /* one more than that of the one before */
    struct acp_model *model;
    rpc_request_cb *method;
    void *arg;
    struct rpc_request *rq; /* NULL: a notification */
    struct json *params;
    size_t bytes;        /* of them, as text */
    struct watch *limit; /* NULL: none */
};

struct acp_model {
    struct loop *loop;
    struct config *config;       /* held for the search, which borrows it */
    struct model_search *search; /* NULL: it is over */
    struct model_selection *selection;
    struct err fault;
    struct waiting_request *first;
    size_t n_waiting, bytes;
    uint64_t last_number;
};

static void
free_waiting(struct waiting_request *w)
{
    if (!w)
        return;
    watch_free(w->limit);
    json_free(w->params);
    free(w);
}
DEFINE_CLEANUP(struct waiting_request, free_waiting)

/* Calls the method of the first request that waits. */
static void
serve_first(struct acp_model *m)
{
    CLEANUP(free_waiting_p) struct waiting_request *w = m->first;

    m->first = w->next;
    m->n_waiting--;
    m->bytes -= w->bytes;
    w->method(w->arg, w->rq, w->params);
}

static void
serve_waiting(struct acp_model *m)
{
    while (m->first)
        serve_first(m);
}

static void
on_model_found(void *arg, struct model_selection *found)
{
    struct acp_model *m = arg;

    model_search_free(m->search);
    m->search = NULL;
    m->selection = found;
    /* no consent can be asked for here: a local server without the user's
     * consent is not used */
    if (found && model_selection_needs_consent(found)) {
        model_selection_free(found);
        m->selection = NULL;
    }
    serve_waiting(m);
}

static void
on_search_failed(void *arg, const struct err *why)
{
    struct acp_model *m = arg;

    m->fault = *why;
    model_search_free(m->search);
    m->search = NULL;
    serve_waiting(m);
}

struct acp_model *
acp_model_new(struct loop *l, const struct seat *s, struct config *c,
              struct err *e)
{
    static const struct model_search_events events = {on_model_found,
                                                      on_search_failed};
    static const struct model_select_params params;
    CLEANUP(acp_model_free_p) struct acp_model *m = calloc(1, sizeof(*m));

    if (!m) {
        err_nomem(e);
        return NULL;
    }
    m->loop = l;
    m->config = config_hold(c);
    m->search = model_search_start(l, s, c, &params, &events, m, e);
    return m->search ? TAKE_PTR(m) : NULL;
}

void
acp_model_free(struct acp_model *m)
{
    if (!m)
        return;
    while (m->first) {
        struct waiting_request *w = m->first;

        m->first = w->next;
        if (w->rq)
            rpc_refuse(w->rq, JSONRPC_INTERNAL, "the agent has ended", NULL);
        free_waiting(w);
    }
    model_search_free(m->search);
    model_selection_free(m->selection);
    config_free(m->config);
    free(m);
}

/* A request's time limit has passed: it and those before it are served. */
static void
on_wait_over(void *arg, unsigned events)
{
    const struct waiting_request *w = arg;
    struct acp_model *m = w->model;
    uint64_t last = w->number;

    (void)events;
    while (m->first && m->first->number <= last)
        serve_first(m);
}

static int
copy_params(struct waiting_request *w, const struct json *params, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(PARAMS_MAX - w->model->bytes);
    struct json_writer writer;

    json_write_init(&writer, &b);
    json_put_value(&writer, params);
    if (buf_ok(&b, "what waits for the model", e) < 0 ||
        !(w->params = json_parse(b.p, b.len, 0, e)))
        return -1;
    w->bytes = b.len;
    return 0;
}

static int
add_waiting(struct acp_model *m, struct waiting_request *w,
            const struct json *params, int64_t limit_ms, struct err *e)
{
    struct waiting_request **at = &m->first;

    if (m->n_waiting == WAITING_MAX)
        return err_set(e, ERR_NOMEM, "too many requests wait for the model");
    if (params && copy_params(w, params, e) < 0)
        return -1;
    if (limit_ms > 0 &&
        !(w->limit = loop_timer(m->loop, limit_ms, on_wait_over, w, e)))
        return -1;
    while (*at)
        at = &(*at)->next;
    *at = w;
    w->number = ++m->last_number;
    m->n_waiting++;
    m->bytes += w->bytes;
    return 0;
}

void
acp_model_wait(struct acp_model *m, rpc_request_cb *method, void *arg,
               struct rpc_request *rq, const struct json *params,
               int64_t limit_ms)
{
    CLEANUP(free_waiting_p) struct waiting_request *w = NULL;
    struct err e = {0};

    if (!m->search && !m->first) {
        method(arg, rq, params);
        return;
    }
    if (!(w = calloc(1, sizeof(*w)))) {
        err_nomem(&e);
    } else {
        *w = (struct waiting_request){
            .model = m, .method = method, .arg = arg, .rq = rq};
        if (add_waiting(m, w, params, limit_ms, &e) == 0) {
            TAKE_PTR(w);
            return;
        }
    }
    if (rq)
        rpc_refuse(rq, JSONRPC_INTERNAL, e.text, NULL);
}

void
acp_model_leave(struct acp_model *m, const void *arg)
{
    struct waiting_request **at = &m->first;

    while (*at) {
        struct waiting_request *w = *at;

        if (w->arg != arg) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        m->n_waiting--;
        m->bytes -= w->bytes;
        rpc_drop(w->rq);
        free_waiting(w);
    }
}

bool
acp_model_has_waiting(const struct acp_model *m)
{
    return m->first != NULL;
}

const struct model_selection *
acp_model_selection(const struct acp_model *m)
{
    return m->selection;
}

const struct err *
acp_model_fault(const struct acp_model *m)
{
    return &m->fault;
}
