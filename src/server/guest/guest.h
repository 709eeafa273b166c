/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest.h - the guest agent: its listener, and its connections. */
#ifndef SERVER_GUEST_GUEST_H
#define SERVER_GUEST_GUEST_H

#include "base/cleanup.h"
#include "server/guest/guest_shared.h"

#define GUEST_CONNECTIONS_MAX 64 /* unless the person says otherwise */

struct guest;

/* Borrowed while the agent lives. */
struct guest_setup {
    struct loop *loop;
    const struct seat *seat;
    struct config *config; /* held */
    struct policy *policy; /* held; NULL: everything is allowed */
    /* opens it at the first request that is recorded; NULL: there is none */
    struct journal *(*journal)(void *arg);
    const char *profile; /* NULL: full, or with a root workspace-write */
    const char *root;    /* NULL: none */
    const char *token;   /* that a peer has to show first; NULL: none */
    const char *tls_cert, *tls_key; /* files of PEM; NULL: plain connections */
    int64_t exec_timeout_ms;
    unsigned max_connections;
    /* addresses of wire/listener.h, NULL at the end; NULL: in and out are the
     * only connection */
    const char *const *listen;
    int in, out; /* borrowed */
    void (*log)(void *arg, const char *line);
    void (*ended)(void *arg); /* in and out have; comes from the loop */
    void *arg;
};

/* ERR_USAGE: an option is wrong; ERR_DENIED: other machines could reach it, and
 * there is no token. Else the errors of the sandbox and of the socket. */
struct guest *guest_new(const struct guest_setup *set, struct err *e);
/* Ends what runs. Accepts NULL. */
void guest_free(struct guest *g);
DEFINE_CLEANUP(struct guest, guest_free)

/* Connections that come from now on have these settings and rules, and the
 * certificate that is there now. On an error all stays as it was. */
int guest_load(struct guest *g, struct config *config, struct policy *policy,
               struct err *e);

/* Takes no new request, and calls `ended` when those under way are answered; on
 * in and out they are ended. */
void guest_stop(struct guest *g);

#endif
