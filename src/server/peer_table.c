/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer_table.c - counts the connections and wrong tokens of each address. */
#include "server/peer_table.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define QUIET_MAX   1024 /* addresses without a connection that are kept */
#define NOBODY      0u /* a peer without an address; the entry is never used */
#define SHARE       2  /* one address may have 1/SHARE of the connections */
#define SHARE_LEAST 8

struct peer {
    unsigned char address[16]; /* IPv4 as mapped IPv6; of IPv6 the /64 */
    bool used, local;
    peer_number next;         /* next entry with the same hash */
    peer_number newer, older; /* list of the entries without a connection */
    size_t n;                 /* connections that are open */
    int64_t allowance;        /* thousandths of a new connection, at: */
    int64_t at_ms;
    unsigned wrong; /* tokens since: */
    int64_t wrong_ms, paused_until_ms;
};

struct peer_table {
    struct peer *peers; /* n_peers of them; number NOBODY stands for none */
    peer_number *index; /* n_index hash buckets, each with its first entry */
    size_t n_peers, n_index, at_once;
    peer_number newest, oldest; /* without a connection, or never used */
    uint64_t seed;
};

/* False: no limit applies to the address. */
static bool
read_peer_address(const struct sockaddr_storage *from, unsigned char out[16],
                  bool *local)
{
    const struct sockaddr_in *in = (const void *)from;
    const struct sockaddr_in6 *in6 = (const void *)from;

    memset(out, 0, 16);
    if (from->ss_family == AF_INET) {
        out[10] = out[11] = 0xff;
        memcpy(out + 12, &in->sin_addr, 4);
    } else if (from->ss_family == AF_INET6) {
        memcpy(out, &in6->sin6_addr,
               IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr) ||
                       IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr)
                   ? 16
                   : 8);
    } else {
        return false;
    }
    *local = IN6_IS_ADDR_LOOPBACK((const struct in6_addr *)(const void *)out) ||
             (out[10] == 0xff && out[11] == 0xff && out[12] == 127);
    return true;
}

static peer_number *
peer_place(const struct peer_table *t, const unsigned char address[16])
{
    uint64_t high, low, h;

    memcpy(&high, address, sizeof(high));
    memcpy(&low, address + 8, sizeof(low));
    h = (high ^ t->seed) * 0x9e3779b97f4a7c15u;
    h = ((h >> 29) ^ h ^ low) * (t->seed | 1);
    return &t->index[(h >> 32) % t->n_index];
}

static void
unlink_quiet(struct peer_table *t, peer_number at)
{
    struct peer *p = &t->peers[at];

    *(p->newer ? &t->peers[p->newer].older : &t->newest) = p->older;
    *(p->older ? &t->peers[p->older].newer : &t->oldest) = p->newer;
}

static void
link_quiet(struct peer_table *t, peer_number at)
{
    struct peer *p = &t->peers[at];

    p->newer = NOBODY;
    p->older = t->newest;
    *(p->older ? &t->peers[p->older].newer : &t->oldest) = at;
    t->newest = at;
}

struct peer_table *
peer_table_new(size_t max, struct err *e)
{
    CLEANUP(peer_table_free_p) struct peer_table *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    t->n_peers = max + QUIET_MAX + 1;
    t->n_index = 2 * t->n_peers;
    t->at_once = max / SHARE > SHARE_LEAST ? max / SHARE : SHARE_LEAST;
    t->peers = calloc(t->n_peers, sizeof(*t->peers));
    t->index = calloc(t->n_index, sizeof(*t->index));
    if (!t->peers || !t->index) {
        err_nomem(e);
        return NULL;
    }
    if (getrandom(&t->seed, sizeof(t->seed), 0) != (ssize_t)sizeof(t->seed)) {
        err_sys(e, "getrandom");
        return NULL;
    }
    for (size_t i = 1; i < t->n_peers; i++)
        link_quiet(t, (peer_number)i);
    return TAKE_PTR(t);
}

void
peer_table_free(struct peer_table *t)
{
    if (!t)
        return;
    free(t->peers);
    free(t->index);
    free(t);
}

static void
forget_peer(struct peer_table *t, peer_number at)
{
    peer_number *place = peer_place(t, t->peers[at].address);

    while (*place != at)
        place = &t->peers[*place].next;
    *place = t->peers[at].next;
}

/* The entry of the address. A new address replaces the one without a connection
 * that was idle for longest. NOBODY: all entries have connections. */
static peer_number
find_peer(struct peer_table *t, const unsigned char address[16], bool local,
          int64_t now_ms)
{
    peer_number *place = peer_place(t, address), at = *place;

    while (at && memcmp(t->peers[at].address, address, 16) != 0)
        at = t->peers[at].next;
    if (at || !(at = t->oldest))
        return at;
    unlink_quiet(t, at);
    if (t->peers[at].used)
        forget_peer(t, at);
    t->peers[at] = (struct peer){.used = true,
                                 .local = local,
                                 .next = *place,
                                 .allowance = PEER_BURST * 1000,
                                 .at_ms = now_ms};
    memcpy(t->peers[at].address, address, 16);
    *place = at;
    link_quiet(t, at);
    return at;
}

/* A token bucket: PEER_BURST new connections at first, and PEER_PER_S more in
 * each second. False: it is empty. */
static bool
take_allowance(struct peer *p, int64_t now_ms)
{
    int64_t more = (now_ms - p->at_ms) * PEER_PER_S;

    p->at_ms = now_ms;
    p->allowance = more > PEER_BURST * 1000 - p->allowance
                       ? PEER_BURST * 1000
                       : p->allowance + more;
    if (p->allowance < 1000)
        return false;
    p->allowance -= 1000;
    return true;
}

enum peer_verdict
peer_table_accept(struct peer_table *t, const struct sockaddr_storage *from,
                  int64_t now_ms, peer_number *peer)
{
    unsigned char address[16];
    bool local;
    struct peer *p;

    *peer = NOBODY;
    if (!read_peer_address(from, address, &local))
        return PEER_WELCOME;
    *peer = find_peer(t, address, local, now_ms);
    p = &t->peers[*peer];
    if (*peer != NOBODY && !local && p->n >= t->at_once)
        return PEER_TOO_MANY;
    if (*peer != NOBODY && !local && !take_allowance(p, now_ms))
        return PEER_TOO_FAST;
    peer_table_hold(t, *peer);
    return PEER_WELCOME;
}

void
peer_table_hold(struct peer_table *t, peer_number peer)
{
    if (peer != NOBODY && t->peers[peer].n++ == 0)
        unlink_quiet(t, peer);
}

void
peer_table_left(struct peer_table *t, peer_number peer)
{
    if (peer != NOBODY && --t->peers[peer].n == 0)
        link_quiet(t, peer);
}

int64_t
peer_table_pause(const struct peer_table *t, peer_number peer, int64_t now_ms)
{
    int64_t until = t->peers[peer].paused_until_ms;

    return peer != NOBODY && until > now_ms ? until - now_ms : 0;
}

bool
peer_table_wrong(struct peer_table *t, peer_number peer, int64_t now_ms)
{
    struct peer *p = &t->peers[peer];

    if (peer == NOBODY)
        return false;
    if (p->wrong == 0 || now_ms - p->wrong_ms > PEER_WRONG_MS) {
        p->wrong = 0;
        p->wrong_ms = now_ms;
    }
    if (++p->wrong < PEER_WRONG_MAX)
        return false;
    p->wrong = 0;
    p->paused_until_ms = now_ms + PEER_PAUSE_MS;
    return true;
}

const char *
peer_table_text(const struct peer_table *t, peer_number peer,
                char text[PEER_TEXT_SIZE])
{
    const unsigned char *a = t->peers[peer].address;
    bool four = a[10] == 0xff && a[11] == 0xff;

    text[0] = '\0';
    if (peer != NOBODY)
        (void)inet_ntop(four ? AF_INET : AF_INET6, four ? a + 12 : a, text,
                        PEER_TEXT_SIZE);
    return text;
}
