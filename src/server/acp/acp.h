/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp.h - the agent of one editor on a pair of descriptors. */
#ifndef SERVER_ACP_ACP_H
#define SERVER_ACP_ACP_H

#include "base/cleanup.h"
#include "base/loop.h"
#include "server/acp/acp_session.h"

struct acp;

/* Borrowed while the agent lives. */
struct acp_setup {
    struct loop *loop;
    const struct seat *seat; /* of the process */
    const struct config *config;
    const char *policy; /* see struct acp_shared */
    struct journal *journal;
    struct session_writer *store; /* see struct acp_shared, as journal is */
    int in, out;
    void (*log)(void *arg, const char *line);
    /* the editor is gone, and all that ran for it; comes from the loop */
    void (*ended)(void *arg);
    void *arg;
};

struct acp *acp_new(const struct acp_setup *set, struct err *e);
void acp_free(struct acp *a); /* ends what runs; accepts NULL */
DEFINE_CLEANUP(struct acp, acp_free)

/* Cancels what runs, and calls `ended` when its last messages are written, or
 * after ACP_STOP_MS. A second call does nothing. */
#define ACP_STOP_MS 1500
void acp_stop(struct acp *a);

#endif
