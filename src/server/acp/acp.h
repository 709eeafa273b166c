/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp.h - the agent of one editor on a pair of descriptors. */
#ifndef SERVER_ACP_ACP_H
#define SERVER_ACP_ACP_H

#include "server/acp/acp_agent.h"

struct acp;

/* Borrowed while the agent lives. */
struct acp_setup {
    struct acp_agent_setup agent;
    int in, out;
    /* The editor has gone, and all that ran for it has ended. Called from the
     * loop, with the arg of the agent's setup. */
    void (*ended)(void *arg);
};

struct acp *acp_new(const struct acp_setup *set, struct err *e);
void acp_free(struct acp *a); /* ends what runs; accepts NULL */
DEFINE_CLEANUP(struct acp, acp_free)

/* Cancels what runs, and calls `ended` when its last messages are written, or
 * after ACP_STOP_MS. A second call does nothing. */
#define ACP_STOP_MS 1500
void acp_stop(struct acp *a);

#endif
