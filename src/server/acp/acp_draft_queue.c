/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_queue.c - prompts of the draft that wait for a turn. */
#include "server/acp/acp_draft_queue.h"

#include <stdlib.h>

#include "server/acp/acp_answer.h"
#include "server/acp/acp_draft_turn.h"
#include "server/acp/acp_editor.h"
#include "server/acp/acp_update.h"
#include "json/write.h"

struct waiting_prompt {
    struct waiting_prompt *next;
    struct acp_draft_queue *queue;
    struct acp_editor *editor;
    struct rpc_request *rq;
    struct acp_prompt prompt;
    struct buf content; /* its blocks */
};

struct acp_draft_queue {
    struct acp_session *session;
    struct waiting_prompt *first;
    size_t n;
    struct watch *soon; /* begins the next turn; NULL: none is to begin */
};

static void
free_waiting_prompt(struct waiting_prompt *w)
{
    if (!w)
        return;
    acp_prompt_done(&w->prompt);
    buf_done(&w->content);
    free(w);
}
DEFINE_CLEANUP(struct waiting_prompt, free_waiting_prompt)

static struct waiting_prompt *
take_first_prompt(struct acp_draft_queue *q)
{
    struct waiting_prompt *w = q->first;

    q->first = w->next;
    q->n--;
    return w;
}

static void
refuse_first_prompt(struct acp_draft_queue *q)
{
    CLEANUP(free_waiting_prompt_p)
    struct waiting_prompt *w = take_first_prompt(q);

    rpc_refuse(w->rq, ACP_REQUEST_CANCELLED, "cancelled", NULL);
}

static void
unlink_prompt(struct waiting_prompt *w)
{
    struct waiting_prompt **at = &w->queue->first;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    w->queue->n--;
}

/* The editor does not want it any more. */
static void
on_withdrawn(void *arg)
{
    CLEANUP(free_waiting_prompt_p) struct waiting_prompt *w = arg;

    unlink_prompt(w);
    rpc_refuse(w->rq, ACP_REQUEST_CANCELLED, "cancelled", NULL);
}

static int
begin_draft_turn(struct acp_session *s, struct acp_editor *ed,
                 const struct acp_prompt *p, const struct buf *content,
                 struct rpc_request *rq)
{
    struct err e = {0};

    s->asker = ed;
    if (acp_draft_turn_start(s, p, content, rq, &e) == 0)
        return 0;
    acp_answer_failure(rq, &e);
    return -1;
}

static void
on_next(void *arg, unsigned events)
{
    struct acp_draft_queue *q = arg;
    bool begun = q->session->turn != NULL;

    (void)events;
    watch_free(q->soon);
    q->soon = NULL;
    while (q->first && !begun) {
        CLEANUP(free_waiting_prompt_p)
        struct waiting_prompt *w = take_first_prompt(q);

        rpc_on_cancel(w->rq, NULL, NULL);
        begun = begin_draft_turn(q->session, w->editor, &w->prompt, &w->content,
                                 w->rq) == 0;
    }
}

bool
acp_draft_queue_waits(const struct acp_session *s)
{
    return s->queue && s->queue->first;
}

void
acp_draft_queue_cancel(struct acp_session *s)
{
    while (acp_draft_queue_waits(s))
        refuse_first_prompt(s->queue);
}

/* A turn is over: the next one begins soon, from the loop. */
static void
begin_next_turn(struct acp_session *s)
{
    struct err e = {0};

    if (!acp_draft_queue_waits(s) || s->queue->soon)
        return;
    if (!(s->queue->soon = loop_soon(s->shared->loop, on_next, s->queue, &e)))
        acp_draft_queue_cancel(s);
}

static struct acp_draft_queue *
queue_of(struct acp_session *s, struct err *e)
{
    if (!s->queue && !(s->queue = calloc(1, sizeof(*s->queue)))) {
        err_nomem(e);
        return NULL;
    }
    s->queue->session = s;
    s->after_turn = begin_next_turn;
    return s->queue;
}

/* Moves the prompt and its content to the end of the queue. */
static int
add_waiting_prompt(struct acp_session *s, struct acp_editor *ed,
                   struct acp_prompt *p, struct buf *content,
                   struct rpc_request *rq, struct err *e)
{
    struct acp_draft_queue *q = queue_of(s, e);
    struct waiting_prompt *w, **at;

    if (!q)
        return -1;
    if (q->n == ACP_WAITING_MAX)
        return err_set(e, ERR_NOMEM, "%d prompts of this session wait",
                       ACP_WAITING_MAX);
    if (!(w = calloc(1, sizeof(*w))))
        return err_nomem(e);
    *w = (struct waiting_prompt){
        .queue = q, .editor = ed, .rq = rq, .prompt = *p, .content = *content};
    acp_prompt_init(p);
    buf_init(content, ACP_UPDATE_MAX);
    for (at = &q->first; *at; at = &(*at)->next)
        continue;
    *at = w;
    q->n++;
    rpc_on_cancel(rq, on_withdrawn, w);
    return 0;
}

void
acp_draft_queue_take(struct acp_session *s, struct acp_editor *ed,
                     struct acp_prompt *p, const struct json *blocks,
                     struct rpc_request *rq)
{
    CLEANUP_BUF struct buf content = buf_of(ACP_UPDATE_MAX);
    struct json_writer w;
    struct err e = {0};

    json_write_init(&w, &content);
    json_put_value(&w, blocks);
    if (!s->turn && !acp_draft_queue_waits(s))
        (void)begin_draft_turn(s, ed, p, &content, rq);
    else if (add_waiting_prompt(s, ed, p, &content, rq, &e) < 0)
        rpc_refuse(rq, JSONRPC_INTERNAL, e.text, NULL);
}

void
acp_draft_queue_leave(struct acp_session *s, const struct acp_editor *ed)
{
    struct waiting_prompt *w = s->queue ? s->queue->first : NULL;

    while (w) {
        CLEANUP(free_waiting_prompt_p) struct waiting_prompt *gone = w;

        w = w->next;
        if (gone->editor != ed) {
            TAKE_PTR(gone);
            continue;
        }
        unlink_prompt(gone);
        rpc_refuse(gone->rq, ACP_REQUEST_CANCELLED, "cancelled", NULL);
    }
}

void
acp_draft_queue_free(struct acp_draft_queue *q)
{
    if (!q)
        return;
    while (q->first)
        refuse_first_prompt(q);
    watch_free(q->soon);
    free(q);
}
