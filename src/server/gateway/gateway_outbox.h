/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_outbox.h - changes of this gateway that wait for their turn in the
 * stream, and who waits for them. */
#ifndef SERVER_GATEWAY_GATEWAY_OUTBOX_H
#define SERVER_GATEWAY_GATEWAY_OUTBOX_H

#include "record/gateway_store.h"
#include "wire/relay_record.h"

#define GATEWAY_EVENT_BITS 12 /* of an event's number, in its record */

struct shared_then {
    struct shared_then *next;
    void (*cb)(void *arg), (*lost)(void *arg);
    void *arg;
};

struct then_list {
    struct shared_then *first, **end;
};

/* Changes of ours that wait for their turn. */
struct shared_batch {
    struct shared_batch *next;
    uint64_t number;
    struct buf record;
    struct then_list thens;
};

struct gateway_outbox {
    struct buf items; /* that are in no record yet */
    unsigned n_items;
    struct then_list thens;
    struct shared_batch *first, *last;
    size_t bytes;
    unsigned n;
    uint64_t number; /* of the last record */
};

void gateway_outbox_init(struct gateway_outbox *o);
void gateway_outbox_done(struct gateway_outbox *o);

/* Adds a change (gateway_change.h). True: a record should be made. */
bool gateway_outbox_add(struct gateway_outbox *o, unsigned what,
                        const struct gateway_values *v);
/* Calls cb when all so far has had its turn, and is in the store; lost where it
 * is dropped. Nothing waits: by the store alone. */
void gateway_outbox_then(struct gateway_outbox *o, struct gateway_store *store,
                         void (*cb)(void *arg), void (*lost)(void *arg),
                         void *arg);
/* Makes a record of what is in none. NULL: there is nothing, or (ERR_NOMEM) it
 * is lost. */
const struct shared_batch *gateway_outbox_close(struct gateway_outbox *o,
                                                const char *node,
                                                uint64_t epoch, struct err *e);
/* The first record has had its turn. */
void gateway_outbox_settle(struct gateway_outbox *o,
                           struct gateway_store *store);
/* Nothing of it counts; records are numbered from 1 again. */
void gateway_outbox_drop(struct gateway_outbox *o);

#endif
