/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_retention.c - removes tasks that ended long ago, with their events.
 */
#include "server/gateway/gateway_retention.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "record/ledger.h"
#include "server/gateway/gateway_keep.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/gateway_turn.h"

#define SWEEP_MS       (10 * 60 * (int64_t)1000) /* between two looks, or ... */
#define SWEEP_PART     10 /* this part of the retention, where that is less */
#define TASKS_AT_ONCE  32
#define EVENTS_AT_ONCE 500
/* A client that sends a message again does so within hours. */
#define REF_MS (7 * 24 * 60 * 60 * (int64_t)1000)

/* One task on its way out. */
struct gateway_removal {
    struct gateway_removal *next;
    struct gateway *g;
    struct gateway_task *task; /* NULL: it is not found yet */
    int64_t seq;               /* its events up to this one are removed */
    bool tree;                 /* its working tree alone goes, if it may */
    char id[GATEWAY_ID_SIZE];
};

static void
end_removal(struct gateway_removal *r)
{
    struct gateway_removal **at = &r->g->removals;

    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (r->task)
        r->task->uses--;
    if (r->g->nodes)
        gateway_nodes_look(r->g->nodes);
    free(r);
}

static void
on_removal_lost(void *arg)
{
    end_removal(arg);
}

static void
remove_task_rows(struct gateway_removal *r)
{
    static const enum gateway_statement rest[] = {GATEWAY_REMOVE_PROMPTS,
                                                  GATEWAY_REMOVE_PERMISSIONS,
                                                  GATEWAY_REMOVE_TASK};
    const struct gateway_values v = {.text = {r->id}};

    for (size_t i = 0; i < ARRAY_SIZE(rest); i++)
        gateway_keep(r->g, rest[i], &v);
    r->g->n_removed++;
    end_removal(r);
}

static void
remove_some_events(void *arg)
{
    struct gateway_removal *r = arg;
    struct gateway_values v = {.text = {r->id}};

    r->seq += EVENTS_AT_ONCE;
    v.number[0] = r->seq;
    gateway_keep(r->g, GATEWAY_REMOVE_EVENTS, &v);
    if (r->seq < r->task->number[TASK_LAST_SEQ])
        gateway_keep_then(r->g, remove_some_events, on_removal_lost, r);
    else
        remove_task_rows(r);
}

/* Nobody else has it: uses are those of who found it just now. */
static bool
may_be_removed(const struct gateway_task *t)
{
    static const char *const ended[] = {"completed", "failed", "cancelled",
                                        "idle"};

    return t->uses == 1 && !t->agent && !t->starter && !t->tree_job &&
           !t->in_turn && !t->stopping && STR_IN(t->text[TASK_STATE], ended) &&
           t->number[TASK_UPDATED] < ledger_now_ms() - t->g->set.retain_ms;
}

static void
on_removal_found(void *arg, struct gateway_task *t)
{
    struct gateway_removal *r = arg;

    if (t && may_be_removed(t) && r->tree) {
        gateway_turn_clean_tree(t);
    } else if (t && may_be_removed(t) && !t->text[TASK_TREE][0]) {
        r->task = t;
        t->uses++;
        t->removed = true;
        remove_some_events(r);
        return;
    }
    if (!t && r->g->nodes)
        gateway_nodes_release(r->g->nodes, r->id, 0, 0);
    end_removal(r);
}

static void
on_removal_claimed(void *arg, const char *task, bool ours)
{
    struct gateway_removal *r = arg;

    if (ours)
        gateway_task_find(r->g, task, on_removal_found, r);
    else
        end_removal(r);
}

static void
begin_removal(struct gateway *g, const char *id, bool tree)
{
    struct gateway_removal *r = calloc(1, sizeof(*r));

    if (!r)
        return;
    r->g = g;
    r->tree = tree;
    snprintf(r->id, sizeof(r->id), "%s", id);
    r->next = g->removals;
    g->removals = r;
    if (!g->nodes)
        on_removal_claimed(r, r->id, true);
    else if (gateway_nodes_owner(g->nodes, id)[0])
        end_removal(r);
    else
        gateway_nodes_claim(g->nodes, id, on_removal_claimed, r);
}

static void
on_ended_tasks(void *arg, const struct gateway_answer *a)
{
    struct gateway *g = arg;

    g->sweeping = false;
    if (a->more)
        g->sweep_ms = 0;
    for (size_t i = 0; i < a->n && !g->stopping; i++)
        begin_removal(g, a->row[i].text[0], false);
}

/* One at a time: git is to look at it. */
static void
on_ended_tree(void *arg, const struct gateway_answer *a)
{
    struct gateway *g = arg;

    g->tree_after = a->n > 0 ? a->row->number[0] : 0;
    if (a->n > 0 && !g->stopping)
        begin_removal(g, a->row->text[0], true);
}

/* What clients sent once is known for a week, whatever becomes of tasks. */
static void
tidy_tables(struct gateway *g)
{
    const struct gateway_values refs = {.number = {ledger_now_ms() - REF_MS}},
                                nothing = {0};

    gateway_store_write(g->store, GATEWAY_REMOVE_REFS, &refs);
    gateway_store_write(g->store, GATEWAY_SHRINK, &nothing);
}

void
gateway_retention_sweep(struct gateway *g, int64_t now)
{
    int64_t retain = g->set.retain_ms, part = retain / SWEEP_PART;
    const struct gateway_values in = {
        .number = {ledger_now_ms() - retain, g->tree_after}};

    if (!g->ready || g->stopping || g->sweeping || g->removals ||
        now < g->sweep_ms || gateway_keep_trouble(g))
        return;
    g->sweep_ms = now + (retain > 0 && part < SWEEP_MS ? part : SWEEP_MS);
    tidy_tables(g);
    if (retain == 0)
        return;
    g->sweeping = true;
    gateway_store_ask(g->store, GATEWAY_ENDED_TASKS, &in, TASKS_AT_ONCE,
                      on_ended_tasks, g);
    gateway_store_ask(g->store, GATEWAY_ENDED_TREES, &in, 1, on_ended_tree, g);
}

void
gateway_retention_free(struct gateway *g)
{
    while (g->removals) {
        struct gateway_removal *r = g->removals;

        g->removals = r->next;
        free(r);
    }
}
