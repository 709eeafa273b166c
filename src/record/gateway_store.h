/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_store.h - reads and writes the tables of the gateway in a thread,
 * beside its loop.
 *
 * What is handed in is done in order: changes that come while one transaction
 * is written go together into the next one, those of one turn of the loop
 * always, and a question sees the changes before it. Callbacks come in that
 * order too, from the loop, after the transaction is on the disk: what a
 * callback has seen is never lost. A change that cannot be written, such as on
 * a full disk, is tried again every second, and everything behind it waits,
 * except what gateway_store_read asks; gateway_store_trouble says why. */
#ifndef RECORD_GATEWAY_STORE_H
#define RECORD_GATEWAY_STORE_H

#include "base/loop.h"
#include "record/gateway_rows.h"
#include "record/gateway_statement.h"

#define GATEWAY_STORE_FULL (64u << 20) /* bytes that wait to be written */

struct gateway_store;

/* trouble is called by the loop when changes cannot be written, and with NULL
 * when they can again; shared: as of gateway_rows_open. Errors are those of
 * gateway_rows_open. The loop outlives the store. */
struct gateway_store *gateway_store_open(struct loop *l, bool shared,
                                         void (*trouble)(void *arg,
                                                         const struct err *why),
                                         void *arg, struct err *e);
/* Writes what was handed in, for 2 s at most where that fails, and calls back
 * no more. Accepts NULL. */
void gateway_store_close(struct gateway_store *s);
DEFINE_CLEANUP(struct gateway_store, gateway_store_close)

/* Why changes cannot be written at the moment, or too many wait; NULL: they
 * can. */
const char *gateway_store_trouble(const struct gateway_store *s);

/* More waits to be written than GATEWAY_STORE_FULL. */
bool gateway_store_is_full(const struct gateway_store *s);

/* A change. What is handed in is copied. Where there is no memory the process
 * cannot keep what it has said, and it is trouble from then on. */
void gateway_store_write(struct gateway_store *s, enum gateway_statement what,
                         const struct gateway_values *in);

/* Calls cb when all changes so far are on the disk. */
void gateway_store_then(struct gateway_store *s, void (*cb)(void *arg),
                        void *arg);

/* The answer to a question: at most as many rows as were asked for. */
struct gateway_answer {
    size_t n;
    const struct gateway_values *row;
    bool more;   /* there were more */
    bool behind; /* changes before the question are not on the disk yet */
};

/* Asks; rows beyond `most`, or beyond some 512 KiB, are left out. The answer is
 * valid during the callback. */
typedef void gateway_answer_cb(void *arg, const struct gateway_answer *a);
void gateway_store_ask(struct gateway_store *s, enum gateway_statement what,
                       const struct gateway_values *in, size_t most,
                       gateway_answer_cb *cb, void *arg);

/* The same, but while changes cannot be written the answer is what the disk
 * has, and comes before those changes. */
void gateway_store_read(struct gateway_store *s, enum gateway_statement what,
                        const struct gateway_values *in, size_t most,
                        gateway_answer_cb *cb, void *arg);

#endif
