/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_poll.c - one question to all editors that watch a session. */
#include "server/acp/acp_poll.h"

#include "server/acp/acp_update.h"

static bool
is_polled(const struct acp_poll *p, const struct acp_editor *ed)
{
    for (size_t i = 0; i < ACP_EDITORS_MAX; i++) {
        if (p->calls[i].call && p->calls[i].editor == ed)
            return true;
    }
    return false;
}

static bool
is_anyone_asked(const struct acp_poll *p)
{
    for (size_t i = 0; i < ACP_EDITORS_MAX; i++) {
        if (p->calls[i].call)
            return true;
    }
    return false;
}

void
acp_poll_withdraw(struct acp_poll *p)
{
    if (!p->open)
        return;
    p->open = false;
    p->session->poll = NULL;
    for (size_t i = 0; i < ACP_EDITORS_MAX; i++) {
        if (p->calls[i].call)
            rpc_call_cancel(p->calls[i].call);
        p->calls[i].call = NULL;
    }
    buf_done(&p->params);
}

static void
end_poll(struct acp_poll *p, const struct jsonrpc *m,
         const struct acp_editor *by)
{
    acp_poll_withdraw(p);
    p->answered(p->arg, m, by);
}

/* An error is the answer only where nobody else may give a better one. */
static void
on_poll_answer(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct acp_poll_call *c = arg;
    struct acp_poll *p = c->poll;

    (void)why;
    c->call = NULL;
    if (m && m->kind == JSONRPC_RESULT)
        end_poll(p, m, c->editor);
    else if (!is_anyone_asked(p) && (m || !p->waits))
        end_poll(p, m, NULL); /* nobody has decided */
}

static int
ask_one(struct acp_poll *p, struct acp_editor *ed, struct err *e)
{
    struct acp_poll_call *c = p->calls;

    if (is_polled(p, ed) || (p->takes && !p->takes(&ed->client)))
        return 0;
    while (c->call)
        c++; /* there is a place for each that watches */
    c->poll = p;
    c->editor = ed;
    c->call = rpc_call_start(ed->rpc, p->method, &p->params, 0, on_poll_answer,
                             c, e);
    return c->call ? 0 : -1;
}

int
acp_poll_ask(struct acp_poll *p, const struct buf *params, struct err *e)
{
    struct acp_session *s = p->session;
    struct err why = {0};

    buf_init(&p->params, ACP_UPDATE_MAX);
    buf_add(&p->params, params->p, params->len);
    if (buf_ok(params, "a question", e) < 0 ||
        buf_ok(&p->params, "a question", e) < 0) {
        buf_done(&p->params);
        return -1;
    }
    p->open = true;
    s->poll = p;
    for (size_t i = 0; i < s->n_editors; i++)
        (void)ask_one(p, s->editors[i], &why);
    if (is_anyone_asked(p) || (p->waits && s->n_editors == 0))
        return 0;
    acp_poll_withdraw(p);
    return err_set(e, ERR_PEER, "nobody is there to ask");
}

void
acp_poll_join(struct acp_session *s, struct acp_editor *ed)
{
    struct err e = {0};

    if (s->poll && ask_one(s->poll, ed, &e) < 0)
        s->shared->log(s->shared->log_arg, e.text);
}

void
acp_poll_leave(struct acp_session *s, struct acp_editor *ed)
{
    struct acp_poll *p = s->poll;

    for (size_t i = 0; p && i < ACP_EDITORS_MAX; i++) {
        if (!p->calls[i].call || p->calls[i].editor != ed)
            continue;
        rpc_call_cancel(p->calls[i].call);
        p->calls[i].call = NULL;
    }
    if (p && !is_anyone_asked(p) && !p->waits)
        end_poll(p, NULL, NULL);
}
