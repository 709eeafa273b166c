/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_calls.c - requests that were passed on to an agent, by their ids. */
#include "server/agentctl/agentctl_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct agentctl_call {
    struct agentctl_call *next;
    struct agentctl_calls *calls;
    int64_t id;
    char *own_id;         /* the client's; NULL: it gave none */
    agentctl_call_cb *cb; /* NULL: the answer is for all */
    void *arg;
    bool left;           /* perhaps nobody waits for it: it takes no place */
    struct watch *limit; /* NULL: none */
    int64_t limit_ms;
};

struct agentctl_calls {
    struct loop *loop;
    agentctl_call_cb *cb; /* of the answers for all */
    void *arg;
    struct agentctl_call *first; /* the newest */
    size_t n, n_left;
    int64_t last_id;
};

struct agentctl_calls *
agentctl_calls_new(struct loop *l, agentctl_call_cb *cb, void *arg,
                   struct err *e)
{
    struct agentctl_calls *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    *c = (struct agentctl_calls){.loop = l, .cb = cb, .arg = arg};
    return c;
}

static void
call_free(struct agentctl_call *x)
{
    watch_free(x->limit);
    free(x->own_id);
    free(x);
}

/* Takes it out of the list. */
static void
unlink_call(struct agentctl_call *x)
{
    struct agentctl_call **at = &x->calls->first;

    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    x->calls->n--;
    x->calls->n_left -= x->left;
}

static void
drop_agent_call(struct agentctl_call *x)
{
    unlink_call(x);
    call_free(x);
}

void
agentctl_calls_free(struct agentctl_calls *c)
{
    while (c && c->first)
        drop_agent_call(c->first);
    free(c);
}

static void
conclude_call(struct agentctl_call *x, const struct agentctl_line *line,
              const struct err *why)
{
    struct agentctl_calls *c = x->calls;

    unlink_call(x);
    if (x->cb)
        x->cb(x->arg, line, why);
    else
        c->cb(c->arg, line, why);
    call_free(x);
}

static void
yield_agent_call(struct agentctl_call *x)
{
    x->calls->n_left += !x->left;
    x->left = true;
}

static void
leave_agent_call(struct agentctl_call *x)
{
    watch_free(TAKE_PTR(x->limit));
    x->cb = NULL;
    x->arg = NULL;
    yield_agent_call(x);
}

static void
on_call_late(void *arg, unsigned events)
{
    struct agentctl_call *x = arg;
    struct err e = {0};

    (void)events;
    if (!x->cb) {
        leave_agent_call(x);
        return;
    }
    err_set(&e, ERR_TIMEOUT, "the agent did not answer within %" PRId64 " s",
            x->limit_ms / 1000);
    conclude_call(x, NULL, &e);
}

/* Whether one more call with this argument may wait. */
static bool
may_add_call(const struct agentctl_calls *c, const void *arg)
{
    size_t of_one = 0;

    for (const struct agentctl_call *x = c->first; x; x = x->next)
        of_one += !x->left && x->arg == arg;
    return of_one < AGENTCTL_CALLS_OF_ONE &&
           c->n - c->n_left < AGENTCTL_CALLS_MAX;
}

/* Where all places are taken the oldest call that nobody waits for gives way,
 * or else the oldest of those whose clients have perhaps gone. */
static void
make_agent_call_place(struct agentctl_calls *c)
{
    struct agentctl_call *found = NULL;
    struct err e = {0};

    for (struct agentctl_call *x = c->first; x; x = x->next) {
        if (x->left && (!found || !x->cb || found->cb))
            found = x;
    }
    if (c->n < AGENTCTL_CALLS_MAX || !found)
        return;
    if (!found->cb) {
        drop_agent_call(found);
        return;
    }
    err_set(&e, ERR_DENIED, "its place is needed for another call");
    conclude_call(found, NULL, &e);
}

int64_t
agentctl_calls_add(struct agentctl_calls *c, const char *id, int64_t timeout_ms,
                   agentctl_call_cb *cb, void *arg, struct err *e)
{
    struct agentctl_call *x;

    if (!may_add_call(c, arg))
        return err_set(e, ERR_NOMEM, "%d calls are open already",
                       (int)(c->n - c->n_left));
    if (!(x = calloc(1, sizeof(*x))))
        return err_nomem(e);
    *x = (struct agentctl_call){
        .calls = c, .cb = cb, .arg = arg, .limit_ms = timeout_ms};
    if ((id && !(x->own_id = strdup(id))) ||
        (timeout_ms > 0 &&
         !(x->limit = loop_timer(c->loop, timeout_ms, on_call_late, x, e)))) {
        call_free(x);
        return err_nomem(e);
    }
    make_agent_call_place(c);
    x->id = ++c->last_id;
    x->next = c->first;
    c->first = x;
    c->n++;
    return x->id;
}

void
agentctl_calls_remove(struct agentctl_calls *c, int64_t id)
{
    struct agentctl_call *x = c->first;

    while (x && x->id != id)
        x = x->next;
    if (x)
        drop_agent_call(x);
}

/* Whether the id of a response is this one; an agent that is a script may have
 * put it into quotation marks. */
static bool
is_id_of(const struct agentctl_call *x, const char *id)
{
    char text[24];
    size_t n = (size_t)snprintf(text, sizeof(text), "%" PRId64, x->id);

    id += *id == '"';
    return strncmp(id, text, n) == 0 && (!id[n] || strcmp(id + n, "\"") == 0);
}

bool
agentctl_calls_answer(struct agentctl_calls *c, const struct jsonrpc *m,
                      const struct agentctl_line *line,
                      struct agentctl_reading *r)
{
    CLEANUP_BUF struct buf own = buf_of(AGENTCTL_LINE_MAX);
    struct agentctl_call *x = c->first;
    struct agentctl_line anew;
    struct err e = {0};

    while (x && (!m->id || !is_id_of(x, m->id)))
        x = x->next;
    if (!x)
        return false;
    if (x->own_id) {
        agentctl_message_finish(&own, r, m->root, x->own_id);
        anew = (struct agentctl_line){own.p, own.len, &own};
        line = &anew;
    }
    if (buf_ok(&own, "the agent's answer", &e) < 0)
        conclude_call(x, NULL, &e);
    else
        conclude_call(x, line, NULL);
    return true;
}

static void
refuse_agent_call(struct agentctl_call *x, const char *message)
{
    CLEANUP_BUF struct buf out = buf_of(AGENTCTL_LINE_MAX);
    struct agentctl_line line = {.memory = &out};
    char id[24];
    struct err e = {0};

    snprintf(id, sizeof(id), "%" PRId64, x->id);
    jsonrpc_put_error(&out, x->own_id ? x->own_id : id, JSONRPC_INTERNAL,
                      message, NULL);
    line.p = out.p;
    line.n = out.len;
    if (buf_ok(&out, "the answer", &e) < 0)
        conclude_call(x, NULL, &e);
    else
        conclude_call(x, &line, NULL);
}

bool
agentctl_calls_refuse(struct agentctl_calls *c, const char *id,
                      const char *message)
{
    struct agentctl_call *x = c->first;
    bool any = x != NULL;

    while (x && id && !is_id_of(x, id))
        x = x->next;
    if (id && x)
        refuse_agent_call(x, message);
    while (!id && c->first)
        refuse_agent_call(c->first, message);
    return id ? x != NULL : any;
}

bool
agentctl_calls_have_ids(const struct agentctl_calls *c)
{
    const struct agentctl_call *x = c->first;

    while (x && !x->own_id)
        x = x->next;
    return x != NULL;
}

void
agentctl_calls_leave(struct agentctl_calls *c, const void *arg)
{
    for (struct agentctl_call *x = c->first; x; x = x->next) {
        if (x->arg == arg)
            leave_agent_call(x);
    }
}

void
agentctl_calls_yield(struct agentctl_calls *c, const void *arg)
{
    for (struct agentctl_call *x = c->first; x; x = x->next) {
        if (x->arg == arg)
            yield_agent_call(x);
    }
}

void
agentctl_calls_fail(struct agentctl_calls *c, const struct err *why)
{
    while (c->first)
        conclude_call(c->first, NULL, why);
}

size_t
agentctl_calls_open(const struct agentctl_calls *c)
{
    return c->n - c->n_left;
}

uint64_t
agentctl_calls_total(const struct agentctl_calls *c)
{
    return (uint64_t)c->last_id;
}
