/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_outbox.c - changes of this gateway that wait for their turn in the
 * stream, and who waits for them. */
#include "server/gateway/gateway_outbox.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/gateway/gateway_change.h"

#define RECORD_BYTES (1000u << 10)
#define SPLIT_BYTES  (128u << 10) /* of a record, that is not made longer */
#define RECORD_ITEMS ((1u << GATEWAY_EVENT_BITS) - 1)

static void
clear_thens(struct then_list *l)
{
    l->first = NULL;
    l->end = &l->first;
}

static void
fail_thens(struct then_list *l)
{
    struct shared_then *t = l->first, *next;

    clear_thens(l);
    for (; t; t = next) {
        next = t->next;
        t->lost(t->arg);
        free(t);
    }
}

static void
free_thens(struct then_list *l)
{
    while (l->first) {
        struct shared_then *t = l->first;

        l->first = t->next;
        free(t);
    }
    clear_thens(l);
}

static struct shared_batch *
take_first_batch(struct gateway_outbox *o)
{
    struct shared_batch *b = o->first;

    if (!b)
        return NULL;
    o->first = b->next;
    if (!o->first)
        o->last = NULL;
    o->bytes -= b->record.len;
    o->n--;
    return b;
}

static void
free_batch(struct shared_batch *b)
{
    if (!b)
        return;
    free_thens(&b->thens);
    buf_done(&b->record);
    free(b);
}

void
gateway_outbox_init(struct gateway_outbox *o)
{
    *o = (struct gateway_outbox){.items = buf_of(RECORD_BYTES)};
    clear_thens(&o->thens);
}

void
gateway_outbox_done(struct gateway_outbox *o)
{
    struct shared_batch *b;

    free_thens(&o->thens);
    while ((b = take_first_batch(o)))
        free_batch(b);
    buf_done(&o->items);
}

bool
gateway_outbox_add(struct gateway_outbox *o, unsigned what,
                   const struct gateway_values *v)
{
    gateway_change_put(&o->items, what, v);
    o->n_items++;
    return o->items.len > SPLIT_BYTES || o->n_items >= RECORD_ITEMS;
}

void
gateway_outbox_then(struct gateway_outbox *o, struct gateway_store *store,
                    void (*cb)(void *arg), void (*lost)(void *arg), void *arg)
{
    struct then_list *l = o->n_items > 0 ? &o->thens
                          : o->last      ? &o->last->thens
                                         : NULL;
    struct shared_then *t;

    if (!l) {
        gateway_store_then(store, cb, arg);
        return;
    }
    if (!(t = calloc(1, sizeof(*t)))) {
        lost(arg);
        return;
    }
    *t = (struct shared_then){.cb = cb, .lost = lost, .arg = arg};
    *l->end = t;
    l->end = &t->next;
}

static struct then_list
take_thens(struct gateway_outbox *o)
{
    struct then_list l = o->thens;

    clear_thens(&o->thens);
    return l;
}

static void
append_batch(struct gateway_outbox *o, struct shared_batch *b)
{
    if (o->last)
        o->last->next = b;
    else
        o->first = b;
    o->last = b;
    o->bytes += b->record.len;
    o->n++;
}

static void
forget_items(struct gateway_outbox *o)
{
    buf_clear(&o->items);
    o->n_items = 0;
}

const struct shared_batch *
gateway_outbox_close(struct gateway_outbox *o, const char *node, uint64_t epoch,
                     struct err *e)
{
    struct relay_record rec = {.kind = RELAY_CHANGES,
                               .a = epoch,
                               .b = o->number + 1,
                               .parts = {{o->items.p, o->items.len}}};
    struct then_list thens;
    struct shared_batch *b;

    if (o->n_items == 0)
        return NULL;
    thens = take_thens(o);
    if ((b = calloc(1, sizeof(*b)))) {
        b->record = buf_of(RECORD_BYTES + RELAY_RECORD_HEAD);
        snprintf(rec.node, sizeof(rec.node), "%s", node);
        relay_record_put(&b->record, &rec);
    }
    if (!b || b->record.bad || o->items.bad) {
        free_batch(b);
        forget_items(o);
        if (thens.first)
            fail_thens(&thens);
        err_nomem(e);
        return NULL;
    }
    forget_items(o);
    b->number = ++o->number;
    clear_thens(&b->thens);
    if (thens.first)
        b->thens = thens;
    append_batch(o, b);
    return b;
}

void
gateway_outbox_settle(struct gateway_outbox *o, struct gateway_store *store)
{
    struct shared_batch *b = take_first_batch(o);

    if (!b)
        return;
    for (const struct shared_then *t = b->thens.first; t; t = t->next)
        gateway_store_then(store, t->cb, t->arg);
    free_batch(b);
}

void
gateway_outbox_drop(struct gateway_outbox *o)
{
    struct then_list lost = take_thens(o);
    struct shared_batch *b;

    forget_items(o);
    o->number = 0;
    while ((b = take_first_batch(o))) {
        fail_thens(&b->thens);
        free_batch(b);
    }
    if (lost.first)
        fail_thens(&lost);
}
