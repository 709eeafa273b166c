/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nats_none.c - no NATS: its library was not there when this was built. */
#include "wire/nats.h"

struct nats *
nats_open(struct loop *l, const char *url, const char *name,
          const struct nats_events *ev, void *arg, struct err *e)
{
    (void)l;
    (void)url;
    (void)name;
    (void)ev;
    (void)arg;
    err_set(e, ERR_UNSUPPORTED,
            "this agentsh was built without libnats: "
            "--nats needs it");
    return NULL;
}

void
nats_close(struct nats *n)
{
    (void)n;
}

int
nats_subscribe(struct nats *n, const char *subject, struct err *e)
{
    (void)n;
    return err_set(e, ERR_UNSUPPORTED, "no NATS: %s", subject);
}

int
nats_publish(struct nats *n, const char *subject, const char *reply,
             const void *bytes, size_t n_bytes, struct err *e)
{
    (void)n;
    (void)reply;
    (void)bytes;
    (void)n_bytes;
    return err_set(e, ERR_UNSUPPORTED, "no NATS: %s", subject);
}

bool
nats_is_connected(const struct nats *n)
{
    (void)n;
    return false;
}
