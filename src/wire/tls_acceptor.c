/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_acceptor.c - the certificate of a server, and the handshakes of its
 * connections. */
#include "wire/tls_acceptor.h"

#include <stdlib.h>

#include "base/fd.h"
#include "wire/tls_handshake.h"

/* A connection whose handshake is not done. */
struct unshaken {
    struct tls_acceptor *acceptor;
    struct unshaken *next, **at; /* *at is this one */
    struct tls_handshake *handshake;
    int fd;
    unsigned number;
};

struct tls_acceptor {
    struct tls_acceptor_setup set;
    struct tls_context *context;
    struct unshaken *first;
    size_t n;
    uint64_t failed;
};

static void
free_unshaken(struct unshaken *u)
{
    *u->at = u->next;
    if (u->next)
        u->next->at = u->at;
    u->acceptor->n--;
    tls_handshake_free(u->handshake);
    fd_close_p(&u->fd);
    free(u);
}

static void
drop_unshaken(struct unshaken *u)
{
    struct tls_acceptor *a = u->acceptor;
    unsigned number = u->number;

    free_unshaken(u);
    if (a->set.dropped)
        a->set.dropped(a->set.arg, number);
}

static void
on_shaken(void *arg, struct tls *t, const struct err *why)
{
    struct unshaken *u = arg;
    struct tls_acceptor *a = u->acceptor;
    unsigned number = u->number;
    int fd = u->fd;

    if (why) {
        a->failed++;
        drop_unshaken(u);
        return;
    }
    u->fd = -1;
    free_unshaken(u);
    a->set.accepted(a->set.arg, fd, t, number);
}

void
tls_acceptor_take(struct tls_acceptor *a, int fd, unsigned number)
{
    struct unshaken *u = calloc(1, sizeof(*u));

    if (!u) {
        fd_close_p(&fd);
        if (a->set.dropped)
            a->set.dropped(a->set.arg, number);
        return;
    }
    *u = (struct unshaken){.acceptor = a,
                           .next = a->first,
                           .at = &a->first,
                           .fd = fd,
                           .number = number};
    if (u->next)
        u->next->at = &u->next;
    a->first = u;
    a->n++;
    u->handshake = tls_handshake_new(a->set.loop, a->context, fd, NULL,
                                     on_shaken, u, NULL);
    if (!u->handshake)
        drop_unshaken(u);
}

int
tls_acceptor_reload(struct tls_acceptor *a, struct err *e)
{
    struct tls_context *fresh;

    if (!a)
        return 0;
    fresh = tls_server_context_new(a->set.certificate, a->set.key, e);
    if (!fresh)
        return -1;
    tls_context_free(a->context);
    a->context = fresh;
    return 0;
}

int
tls_acceptor_new(const struct tls_acceptor_setup *set,
                 struct tls_acceptor **out, struct err *e)
{
    CLEANUP(tls_acceptor_free_p) struct tls_acceptor *a = NULL;

    if (!set->certificate && !set->key)
        return 0;
    if (!set->certificate || !set->key)
        return err_set(e, ERR_USAGE, "--tls-cert and --tls-key go together");
    if (!(a = calloc(1, sizeof(*a))))
        return err_nomem(e);
    a->set = *set;
    if (tls_acceptor_reload(a, e) < 0)
        return -1;
    *out = TAKE_PTR(a);
    return 0;
}

void
tls_acceptor_free(struct tls_acceptor *a)
{
    if (!a)
        return;
    while (a->first)
        free_unshaken(a->first);
    tls_context_free(a->context);
    free(a);
}

bool
tls_acceptor_is_for(const struct tls_acceptor *a, const char *name, size_t n)
{
    return tls_context_is_for(a->context, name, n);
}

size_t
tls_acceptor_pending(const struct tls_acceptor *a)
{
    return a ? a->n : 0;
}

uint64_t
tls_acceptor_failed(const struct tls_acceptor *a)
{
    return a ? a->failed : 0;
}
