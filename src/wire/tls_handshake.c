/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_handshake.c - the handshake of TLS on the loop. */
#include "wire/tls_handshake.h"

#include <stdlib.h>

struct tls_handshake {
    struct tls *tls;
    struct watch *socket, *timer;
    tls_handshake_cb *done;
    void *arg;
};

static void
on_handshake_socket(void *arg, unsigned events)
{
    struct tls_handshake *h = arg;
    struct err e = {0};
    int rc = tls_handshake(h->tls, &e);

    (void)events;
    if (rc == 0) {
        watch_events(h->socket, tls_unsent(h->tls) > 0 ? LOOP_READ | LOOP_WRITE
                                                       : LOOP_READ);
        return;
    }
    watch_free(
        TAKE_PTR(h->socket)); /* the new owner watches the socket itself */
    watch_stop(h->timer);
    if (rc > 0)
        h->done(h->arg, TAKE_PTR(h->tls), NULL);
    else
        h->done(h->arg, NULL, &e);
}

static void
on_handshake_timer(void *arg, unsigned events)
{
    struct tls_handshake *h = arg;
    struct err e = {0};

    (void)events;
    err_set(&e, ERR_TIMEOUT, "TLS: the handshake took more than %d s",
            TLS_HANDSHAKE_MS / 1000);
    watch_free(TAKE_PTR(h->socket));
    h->done(h->arg, NULL, &e);
}

struct tls_handshake *
tls_handshake_new(struct loop *l, struct tls_context *c, int fd,
                  const char *name, tls_handshake_cb *done, void *arg,
                  struct err *e)
{
    CLEANUP(tls_handshake_free_p)
    struct tls_handshake *h = calloc(1, sizeof(*h));

    if (!h) {
        err_nomem(e);
        return NULL;
    }
    h->done = done;
    h->arg = arg;
    /* a client speaks first, when the socket has room */
    if (!(h->tls = tls_new(c, fd, name, e)) ||
        !(h->socket = loop_fd(l, fd, name ? LOOP_WRITE : LOOP_READ,
                              on_handshake_socket, h, e)) ||
        !(h->timer = loop_timer(l, TLS_HANDSHAKE_MS, on_handshake_timer, h, e)))
        return NULL;
    return TAKE_PTR(h);
}

void
tls_handshake_free(struct tls_handshake *h)
{
    if (!h)
        return;
    watch_free(h->socket);
    watch_free(h->timer);
    tls_free(h->tls);
    free(h);
}
