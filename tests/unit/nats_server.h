/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nats_server.h - a real NATS server with JetStream, for a test of its own. */
#ifndef TESTS_UNIT_NATS_SERVER_H
#define TESTS_UNIT_NATS_SERVER_H

#include <stdbool.h>

#include "base/loop.h"
#include "base/proc.h"

struct nats_server {
    struct proc *proc;
    char port[16], url[64], directory[64];
};

bool nats_server_is_here(void);
/* A port that is free, and a directory of its own; it is not started yet. */
void nats_server_choose(struct nats_server *s, struct loop *l);
void nats_server_start(struct nats_server *s);
void nats_server_stop(struct nats_server *s); /* by SIGKILL */
void nats_server_done(struct nats_server *s); /* removes the directory */

#endif
