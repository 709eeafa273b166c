/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer_table.h - limits on what the clients of one address may do to a server.
 *
 * Counts the connections that an address has open and those it has just
 * made, and the wrong tokens that it has shown. IPv6 addresses of one /64
 * are one. Loopback may have any number of connections, since what a proxy
 * or SSH forwards comes from there; sockets that are not of TCP have no
 * address and no limit. The table is bounded: the address that was idle for
 * longest is forgotten. */
#ifndef SERVER_PEER_TABLE_H
#define SERVER_PEER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/err.h"

#define PEER_WRONG_MAX 20 /* wrong tokens in PEER_WRONG_MS; then a pause */
#define PEER_WRONG_MS  60000
#define PEER_PAUSE_MS  30000 /* in which every token is refused */
#define PEER_PER_S     100   /* new connections in a second, on average */
#define PEER_BURST     300   /* new connections at once */
#define PEER_TEXT_SIZE 64    /* bytes of an address as text */

struct peer_table;

enum peer_verdict { PEER_WELCOME, PEER_TOO_MANY, PEER_TOO_FAST };

/* max: connections that the server allows at once, of which one address may
 * have half. */
struct peer_table *peer_table_new(size_t max, struct err *e);
void peer_table_free(struct peer_table *t); /* accepts NULL */
DEFINE_CLEANUP(struct peer_table, peer_table_free)

/* A connection from this address was accepted. PEER_WELCOME: it counts from now
 * on, and *peer is its number for the functions below. */
typedef unsigned peer_number;
enum peer_verdict peer_table_accept(struct peer_table *t,
                                    const struct sockaddr_storage *from,
                                    int64_t now_ms, peer_number *peer);
/* Counts one more connection of the peer, without a check; one has closed. */
void peer_table_hold(struct peer_table *t, peer_number peer);
void peer_table_left(struct peer_table *t, peer_number peer);

/* For how many ms more every token of this address is refused; 0: tokens are
 * checked. */
int64_t peer_table_pause(const struct peer_table *t, peer_number peer,
                         int64_t now_ms);
/* It has shown a wrong token. True: a pause begins. */
bool peer_table_wrong(struct peer_table *t, peer_number peer, int64_t now_ms);

/* Writes the address as text. Returns text. */
const char *peer_table_text(const struct peer_table *t, peer_number peer,
                            char text[PEER_TEXT_SIZE]);

#endif
