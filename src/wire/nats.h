/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nats.h - a connection to a NATS server, whose events come from the loop.
 *
 * cnats, the library, works in threads of its own and waits for the network;
 * so does a thread of ours, which hands it what is sent. What comes is queued
 * here and reported by the loop. Messages are delivered at most once: those of
 * a time without a connection are lost, on their way out and in. The library is
 * loaded when the first connection is opened. */
#ifndef WIRE_NATS_H
#define WIRE_NATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/loop.h"

#define NATS_QUEUE_BYTES (64u << 20) /* of what waits, each way */
#define NATS_SUBJECT_MAX 512         /* bytes */

struct nats;

struct nats_events {
    /* A message. reply is the subject for answers, or "". The bytes, which a
     * NUL follows, are borrowed. */
    void (*message)(void *arg, const char *subject, const char *reply,
                    const char *bytes, size_t n);
    /* A consumer of JetStream with idle_heartbeat has nothing to send to this
     * subject; count: of the messages that it has sent there. */
    void (*idle)(void *arg, const char *subject, uint64_t count);
    /* There is a connection, or none any more; it is made anew, as often as
     * need be, and what was subscribed to is so again. */
    void (*connected)(void *arg, bool connected);
    /* Something was lost or refused: for the log. */
    void (*trouble)(void *arg, const struct err *why);
};

/* Begins to connect to a URL, nats://[USER:PASSWORD@]HOST:PORT, tls:// or
 * several with commas. name: of this client, for the server's monitoring.
 * ERR_UNSUPPORTED: the library is not installed. None of these is kept but ev,
 * which is borrowed. */
struct nats *nats_open(struct loop *l, const char *url, const char *name,
                       const struct nats_events *ev, void *arg, struct err *e);
/* What was queued is sent first, for NATS_CLOSE_MS at most. Accepts NULL. */
void nats_close(struct nats *n);
DEFINE_CLEANUP(struct nats, nats_close)
#define NATS_CLOSE_MS 1000

/* Subscribes to a subject, which may have the wildcards * and >. ERR_NOMEM. */
int nats_subscribe(struct nats *n, const char *subject, struct err *e);
/* Sends a copy of n bytes. reply: the subject for answers, or NULL. ERR_NOMEM:
 * too much waits to be sent; ERR_PEER: there is no connection. */
int nats_publish(struct nats *n, const char *subject, const char *reply,
                 const void *bytes, size_t n_bytes, struct err *e);
bool nats_is_connected(const struct nats *n);

#endif
