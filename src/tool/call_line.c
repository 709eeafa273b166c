/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_line.c - what a plugin says while it is asked. */
#include "tool/call_in.h"

#define SURPLUS_MS 200 /* after an answer, for one that does not end */

static const char surplus[] = "continued after its response";

static void
on_surplus(void *arg, unsigned events)
{
    struct tool_call *c = arg;
    struct err why = {0};

    (void)events;
    if (!peer_has_more(c->peer)) {
        call_finish(c);
        return;
    }
    err_set(&why, ERR_PEER, "%s", surplus);
    call_fail(c, &why);
}

static int
check_answer(const struct tool_call *c, const struct response *r, struct err *e)
{
    const struct tool_result *t = &r->result;

    if (c->need)
        return err_set(
            e, ERR_PEER,
            "responded while waiting for a command that it requested");
    if (r->has_id && r->id != c->id)
        return err_set(e, ERR_PEER, "responded to another request (id %lld)",
                       (long long)r->id);
    if (!r->has_id && c->key.len > 0)
        return err_set(e, ERR_PEER, "responded without the request's id");
    if (t->ok && c->action->meta_check &&
        json_schema_check(c->action->meta_check, t->meta, 0, e) < 0) {
        e->code = ERR_PEER;
        return err_wrap(e, "meta");
    }
    return 0;
}

/* One line may be the answer; a second one shows that it was none. Where the
 * process ends with the call its end is awaited, but not for long; where it
 * stays, what it says next makes it go (pool.h). */
static int
take_answer(struct tool_call *c, struct response *r, struct err *e)
{
    if (check_answer(c, r, e) < 0)
        return -1;
    c->answer = *r;
    *r = (struct response){0};
    c->has_answer = true;
    if (c->key.len > 0)
        return peer_has_more(c->peer) ? err_set(e, ERR_PEER, "%s", surplus) : 0;
    watch_free(c->limit);
    c->limit = NULL;
    peer_end_input(c->peer);
    c->surplus = loop_timer(c->loop, SURPLUS_MS, on_surplus, c, e);
    return c->surplus ? 0 : -1;
}

static void
on_need_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct tool_call *c = arg;

    if (c->ev->output)
        c->ev->output(c->arg, stream, bytes, n);
}

static void
on_need_done(void *arg, const char *line, size_t n)
{
    struct tool_call *c = arg;
    struct err e = {0};
    int rc = peer_send(c->peer, line, n, false, &e);

    need_free(c->need);
    c->need = NULL;
    if (rc < 0)
        call_fail(c, &e);
}

static enum tool_need
on_need_ask(void *arg, const char *const *argv)
{
    const struct tool_call *c = arg;

    return c->ev->need ? c->ev->need(c->arg, argv) : TOOL_NEED_NO;
}

/* A person thinks: that is not the tool's time. */
static void
stop_time(struct tool_call *c, bool stop)
{
    if (!c->limit)
        return;
    watch_events(c->limit, stop ? 0 : LOOP_READ);
    if (!stop)
        watch_again(c->limit, c->limit_ms + CALL_GRACE_MS);
}

void
tool_call_agree(struct tool_call *c, bool yes)
{
    struct err e = {0};

    if (c->over || !c->need || !need_waits(c->need))
        return;
    stop_time(c, false);
    if (need_agree(c->need, yes, &e) < 0)
        call_fail(c, &e);
}

static int
take_need(struct tool_call *c, const struct response *r, struct err *e)
{
    static const struct need_events events = {
        .ask = on_need_ask, .output = on_need_output, .done = on_need_done};

    if (c->need)
        return err_set(e, ERR_PEER, "requested two commands at a time");
    c->need = need_start(c->loop, c->tool, r->argv, &c->set, c->stream, &events,
                         c, e);
    if (c->need && c->held)
        need_hold(c->need, true);
    if (c->need && need_waits(c->need))
        stop_time(c, true);
    return c->need ? 0 : -1;
}

static int
take_output(const struct tool_call *c, const struct response *r, struct err *e)
{
    if (!c->stream)
        return err_set(e, ERR_PEER, "an unrequested output event");
    if (c->ev->output)
        c->ev->output(c->arg, r->stream, r->data, r->data_len);
    return 0;
}

int
call_take_line(struct tool_call *c, const char *line, size_t n, struct err *e)
{
    CLEANUP(response_done) struct response r = {0};

    if (c->has_answer)
        return err_set(e, ERR_PEER, "%s", surplus);
    if (response_parse(line, n, &r, e) < 0)
        return -1;
    if (c->need && need_waits(c->need)) /* its words would stand below ours */
        return err_set(e, ERR_PEER, "continued while you were asked");
    switch (r.kind) {
    case RESPONSE_OUTPUT:
        return take_output(c, &r, e);
    case RESPONSE_NEED:
        return take_need(c, &r, e);
    default:
        return take_answer(c, &r, e);
    }
}
