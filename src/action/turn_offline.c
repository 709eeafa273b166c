/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn_offline.c - inside a turn: asks the offline engine for proposals. */
#include "action/turn_offline.h"

#include <string.h>

#include "action/offline_proposal.h"
#include "base/worker.h"

#define TEXT_MAX (1u << 20)

struct turn_offline {
    const struct seat *seat;
    struct user_request request; /* its text is the next */
    struct buf text;
    size_t columns;
    struct proposal next; /* the listener is to get it */
    struct watch *soon;   /* gives it what was made at once, from the loop */
    struct loop *loop;
    struct worker *worker; /* makes `next`, or sets `why` */
    struct err why;
    const struct turn_offline_events *ev;
    void *arg;
};

void
turn_offline_free(struct turn_offline *o)
{
    if (!o)
        return;
    worker_free(o->worker);
    watch_free(o->soon);
    proposal_done(&o->next);
    buf_done(&o->text);
    free(o);
}

static void
on_soon(void *arg, unsigned events)
{
    struct turn_offline *o = arg;
    struct proposal p = o->next;

    (void)events;
    o->next = (struct proposal){0};
    o->ev->proposed(o->arg, &p);
}

static void
search_recipes(void *arg)
{
    struct turn_offline *o = arg;

    (void)offline_proposal_make(o->seat, &o->request, o->columns, &o->next,
                                &o->why);
}

static void
on_searched(void *arg)
{
    struct turn_offline *o = arg;
    struct err why = o->why;

    worker_free(TAKE_PTR(o->worker));
    if (why.code == ERR_NONE) {
        on_soon(o, 0);
        return;
    }
    proposal_done(&o->next);
    o->next = (struct proposal){0};
    o->ev->failed(o->arg, &why);
}

static void
give_soon(struct turn_offline *o, struct proposal *p)
{
    o->next = *p;
    *p = (struct proposal){0};
    watch_again(o->soon, 0);
}

struct turn_offline *
turn_offline_new(struct loop *l, const struct seat *s,
                 const struct user_request *request, size_t columns,
                 const struct turn_offline_events *ev, void *arg, struct err *e)
{
    CLEANUP(turn_offline_free_p) struct turn_offline *o = calloc(1, sizeof(*o));

    if (!o) {
        err_nomem(e);
        return NULL;
    }
    *o = (struct turn_offline){.seat = s,
                               .request = *request,
                               .columns = columns,
                               .loop = l,
                               .ev = ev,
                               .arg = arg};
    buf_init(&o->text, TEXT_MAX);
    buf_str(&o->text, request->text);
    o->request.text = o->text.p;
    if (buf_ok(&o->text, "the request", e) < 0 ||
        !(o->soon = loop_soon(l, on_soon, o, e)))
        return NULL;
    watch_stop(o->soon); /* until there is a proposal */
    return TAKE_PTR(o);
}

int
turn_offline_propose(struct turn_offline *o, struct err *e)
{
    o->worker = worker_start(o->loop, search_recipes, on_searched, o, e);
    return o->worker ? 0 : -1;
}

static bool
is_same_plan(const struct aiaction *a, const struct aiaction *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        if (strcmp(a->steps[i].command, b->steps[i].command) != 0)
            return false;
    }
    return true;
}

static void
grow_request(struct turn_offline *o, const char *text)
{
    buf_clear(&o->text);
    buf_str(&o->text, text);
    o->request.text = o->text.p;
}

/* The quotation mark that makes a value one word of the request, whatever a
 * shell would make of it; "": it is one already, or has both marks. */
static const char *
mark_of_value(const char *value)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789._/@+:~-";

    if (value[0] != '-' && !value[strspn(value, plain)])
        return "";
    if (!strchr(value, '"'))
        return "\"";
    return strchr(value, '\'') ? "" : "'";
}

int
turn_offline_extend(struct turn_offline *o, const char *value, struct err *e)
{
    CLEANUP_BUF struct buf joined = buf_of(TEXT_MAX);
    const char *mark = mark_of_value(value);

    buf_printf(&joined, "%s %s%s%s", o->request.text, mark, value, mark);
    if (buf_ok(&joined, "the request", e) < 0)
        return -1;
    grow_request(o, joined.p);
    return turn_offline_propose(o, e);
}

int
turn_offline_revise(struct turn_offline *o, const char *words,
                    const struct aiaction *now, struct err *e)
{
    CLEANUP(proposal_done) struct proposal other = {0};
    CLEANUP_BUF struct buf joined = buf_of(TEXT_MAX);
    struct user_request request = o->request;

    buf_printf(&joined, "%s %s", o->request.text, words);
    request.text = joined.p;
    request.whole = true;
    if (buf_ok(&joined, "the request", e) < 0 ||
        offline_proposal_make(o->seat, &request, o->columns, &other, e) < 0)
        return -1;
    if (other.action->kind == ANSWER_ONLY || is_same_plan(other.action, now))
        return err_set(e, ERR_UNFIT, "there is no other plan for that");
    grow_request(o, joined.p);
    give_soon(o, &other);
    return 0;
}

int
turn_offline_choose(struct turn_offline *o, const struct proposal *from,
                    size_t chosen, struct err *e)
{
    CLEANUP(proposal_done) struct proposal p = {0};

    if (offline_proposal_choose(&o->request, from, chosen, &p, e) < 0)
        return -1;
    give_soon(o, &p);
    return 0;
}
