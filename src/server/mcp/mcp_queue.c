/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_queue.c - which calls wait, run, ask or are answered, and what they hold.
 */
#include "server/mcp/mcp_queue.h"

/* Calls that only read go to one process back to back, as many as it takes
 * (tool/call_queue.h); others are processes of their own. */
#define READS_MAX  32
#define OTHERS_MAX 16

#define WAITING_MAX 256 /* that wait for their turn, or for the journal */
#define HELD_BYTES  (16u << 20) /* of their arguments, before reading stops */
#define HELD_MAX    (64u << 20) /* and before they are refused */

static void
link_place(struct mcp_queue *q, struct mcp_queue_place *p,
           enum mcp_queue_state state)
{
    struct mcp_queue_list *l = &q->lists[state];

    p->state = state;
    p->next = NULL;
    p->prev = l->last;
    *(p->prev ? &p->prev->next : &l->first) = p;
    l->last = p;
    l->n++;
    l->bytes += p->bytes;
}

/* Calls that run take a place, of their kind. */
static size_t *
running_of(struct mcp_queue *q, const struct mcp_queue_place *p)
{
    return p->reads ? &q->n_reads : &q->n_others;
}

void
mcp_queue_add(struct mcp_queue *q, struct mcp_queue_place *p)
{
    link_place(q, p, MCP_QUEUE_WAITS);
}

void
mcp_queue_remove(struct mcp_queue *q, struct mcp_queue_place *p)
{
    struct mcp_queue_list *l = &q->lists[p->state];

    *running_of(q, p) -= p->state == MCP_QUEUE_RUNS;
    *(p->prev ? &p->prev->next : &l->first) = p->next;
    *(p->next ? &p->next->prev : &l->last) = p->prev;
    l->n--;
    l->bytes -= p->bytes;
}

void
mcp_queue_move(struct mcp_queue *q, struct mcp_queue_place *p,
               enum mcp_queue_state state)
{
    mcp_queue_remove(q, p);
    *running_of(q, p) += state == MCP_QUEUE_RUNS;
    link_place(q, p, state);
}

static void *
owner_of(const struct mcp_queue_place *p)
{
    return p ? p->owner : NULL;
}

void *
mcp_queue_first(const struct mcp_queue *q, enum mcp_queue_state state)
{
    return owner_of(q->lists[state].first);
}

void *
mcp_queue_next(const struct mcp_queue_place *p)
{
    return owner_of(p->next);
}

void *
mcp_queue_ready(const struct mcp_queue *q)
{
    const struct mcp_queue_place *p = q->lists[MCP_QUEUE_WAITS].first;

    while (p &&
           (p->reads ? q->n_reads >= READS_MAX : q->n_others >= OTHERS_MAX))
        p = p->next;
    return owner_of(p);
}

/* What is held of messages; or only of those that do not wait for a person. */
static size_t
bytes_of_queue(const struct mcp_queue *q, bool asked)
{
    size_t bytes = 0;

    for (size_t i = 0; i < MCP_QUEUE_STATES; i++)
        bytes += asked || i != MCP_QUEUE_ASKS ? q->lists[i].bytes : 0;
    return bytes;
}

bool
mcp_queue_is_crowded(const struct mcp_queue *q)
{
    size_t n = q->lists[MCP_QUEUE_WAITS].n + q->lists[MCP_QUEUE_ANSWERED].n;

    return n >= WAITING_MAX || bytes_of_queue(q, false) >= HELD_BYTES;
}

bool
mcp_queue_is_full(const struct mcp_queue *q)
{
    return bytes_of_queue(q, true) >= HELD_MAX;
}

bool
mcp_queue_ends_one(const struct mcp_queue *q)
{
    return q->lists[MCP_QUEUE_ANSWERED].n == 1 &&
           q->lists[MCP_QUEUE_WAITS].n == 0 && q->lists[MCP_QUEUE_RUNS].n == 0;
}

bool
mcp_queue_is_idle(const struct mcp_queue *q)
{
    return q->lists[MCP_QUEUE_WAITS].n == 0 &&
           q->lists[MCP_QUEUE_RUNS].n == 0 &&
           q->lists[MCP_QUEUE_ANSWERED].n == 0;
}
