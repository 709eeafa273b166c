/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer_check.c - admits local TCP connections of this user alone, and none of a
 * confined process. */
#include "wire/peer_check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/worker.h"
#include "wire/socket_holder.h"

#define CONNECTIONS_MAX 256 /* further ones wait in the kernel */
#define LOOKED_MAX      64  /* by one thread: each is a callback afterwards */

enum end_verdict {
    END_ADMITTED,
    END_GONE,     /* closed, or no socket of this machine */
    END_OTHERS,   /* another user's */
    END_CONFINED, /* only confined processes hold it, as far as is seen */
    END_UNSEEN    /* nobody could look */
};

/* One whose other end is looked for. */
struct checked_peer {
    int fd;
    struct tcp_peer peer;
    enum end_verdict verdict;
};

struct peer_check {
    struct loop *loop;
    void (*checked)(void *arg, int fd, const struct err *why);
    void *arg;
    struct worker *worker; /* NULL: no thread looks */
    /* the first n_looked are the thread's, while there is one */
    struct checked_peer v[CONNECTIONS_MAX];
    size_t n, n_looked;
    struct socket_holders known; /* the thread's, too */
    struct err trouble;          /* of the thread: it could not look */
    int held; /* reports under way, which it is not freed before */
    bool dead;
};

static enum end_verdict
find_user(struct checked_peer *c)
{
    if (!tcp_peer_find(c->fd, &c->peer))
        return END_GONE;
    return c->peer.uid == 0 || c->peer.uid == geteuid() ? END_ADMITTED
                                                        : END_OTHERS;
}

static bool
is_unconfined(const struct held_socket *v, size_t n,
              const struct tcp_peer *peer)
{
    const struct held_socket key = {.peer = *peer};
    const struct held_socket *found = bsearch(&key, v, n, sizeof(*v),
                                              socket_holder_compare);

    return found && found->unconfined;
}

/* In the thread. */
static void
look_for_peers(void *arg)
{
    struct peer_check *p = arg;
    struct held_socket held[LOOKED_MAX];
    size_t n = 0;
    bool seen;

    for (size_t i = 0; i < p->n_looked; i++) {
        p->v[i].verdict = find_user(&p->v[i]);
        if (p->v[i].verdict == END_ADMITTED)
            held[n++] = (struct held_socket){.peer = p->v[i].peer};
    }
    if (n == 0)
        return;
    qsort(held, n, sizeof(*held), socket_holder_compare);
    seen = socket_holder_find(&p->known, held, n, &p->trouble) == 0;
    for (size_t i = 0; i < p->n_looked; i++) {
        struct checked_peer *c = &p->v[i];

        if (c->verdict == END_ADMITTED && !seen)
            c->verdict = END_UNSEEN;
        else if (c->verdict == END_ADMITTED &&
                 !is_unconfined(held, n, &c->peer))
            c->verdict = END_CONFINED;
    }
}

static int
set_peer_error(const struct peer_check *p, enum end_verdict verdict,
               struct err *e)
{
    switch (verdict) {
    case END_GONE:
        return err_set(e, ERR_PEER,
                       "the other end is closed, or not of this machine");
    case END_OTHERS:
        return err_set(
            e, ERR_PERMISSION,
            "without a token other users may not connect. To do: start the "
            "server with --token-file, or at a Unix socket");
    case END_CONFINED:
        return err_set(e, ERR_DENIED,
                       "without a token what agentsh-launch runs may not "
                       "connect, and no other process is seen to hold this "
                       "connection. To do: start the server with --token-file, "
                       "or at a Unix socket");
    default:
        return err_set(
            e, ERR_UNSUPPORTED,
            "without a token who connects must be seen, and is not: "
            "%.100s. To do: start the server with --token-file, or at a "
            "Unix socket",
            p->trouble.text);
    }
}

static void
report_peer(struct peer_check *p, const struct checked_peer *c)
{
    struct err why = {0};
    int fd = c->fd;

    if (p->dead) {
        fd_close_p(&fd);
    } else if (c->verdict == END_ADMITTED) {
        p->checked(p->arg, fd, NULL);
    } else {
        set_peer_error(p, c->verdict, &why);
        p->checked(p->arg, fd, &why);
    }
}

/* Reports those that were looked for. The check may be dead afterwards, and
 * others may be taken meanwhile. */
static void
report_looked(struct peer_check *p)
{
    struct checked_peer looked[LOOKED_MAX];
    size_t n = p->n_looked;

    memcpy(looked, p->v, n * sizeof(*looked));
    p->n -= n;
    memmove(p->v, p->v + n, p->n * sizeof(*looked));
    p->n_looked = 0;
    for (size_t i = 0; i < n; i++)
        report_peer(p, &looked[i]);
}

static void on_looked(void *arg);

/* Without a thread nobody can look, and all are refused. */
static void
look_at_waiting(struct peer_check *p)
{
    p->held++;
    while (!p->dead && !p->worker && p->n > 0) {
        p->n_looked = p->n < LOOKED_MAX ? p->n : LOOKED_MAX;
        p->worker = worker_start(p->loop, look_for_peers, on_looked, p,
                                 &p->trouble);
        if (p->worker)
            break;
        for (size_t i = 0; i < p->n_looked; i++)
            p->v[i].verdict = END_UNSEEN;
        report_looked(p);
    }
    if (--p->held == 0 && p->dead)
        free(p);
}

static void
on_looked(void *arg)
{
    struct peer_check *p = arg;

    worker_free(p->worker);
    p->worker = NULL;
    p->held++;
    report_looked(p);
    p->held--;
    look_at_waiting(p);
}

struct peer_check *
peer_check_new(struct loop *l,
               void (*checked)(void *arg, int fd, const struct err *why),
               void *arg, struct err *e)
{
    struct peer_check *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->loop = l;
    p->checked = checked;
    p->arg = arg;
    return p;
}

void
peer_check_free(struct peer_check *p)
{
    if (!p)
        return;
    worker_free(p->worker);
    p->worker = NULL;
    while (p->n > 0)
        fd_close_p(&p->v[--p->n].fd);
    p->dead = true;
    if (p->held == 0)
        free(p);
}

void
peer_check_take(struct peer_check *p, int fd)
{
    p->v[p->n++] = (struct checked_peer){.fd = fd};
    look_at_waiting(p);
}

bool
peer_check_is_full(const struct peer_check *p)
{
    return p->n == CONNECTIONS_MAX;
}
