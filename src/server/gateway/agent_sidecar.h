/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_sidecar.h - finds what an agent is started with, and starts it.
 *
 * First its secrets, then whether its image is here, then the process. */
#ifndef SERVER_GATEWAY_AGENT_SIDECAR_H
#define SERVER_GATEWAY_AGENT_SIDECAR_H

#include "server/gateway/agent_process.h"
#include "server/gateway/agent_secrets.h"

struct agent_sidecar;

/* The texts are copied; the rest outlives the sidecar. */
struct agent_sidecar_setup {
    struct agent_process_setup process; /* without what is found */
    const char *const *variables;       /* NAME=value, secret; or NULL */
    /* Called once, from the loop: why NULL, the process runs. */
    void (*started)(void *arg, const struct err *why);
    /* The process and all that it started have ended; once, from the loop. */
    void (*ended)(void *arg);
    void *arg;
};

struct agent_sidecar *agent_sidecar_new(const struct agent_sidecar_setup *set,
                                        struct err *e);
/* Ends all of it at once. Accepts NULL. */
void agent_sidecar_free(struct agent_sidecar *s);
DEFINE_CLEANUP(struct agent_sidecar, agent_sidecar_free)

/* Asks the process to end: `ended` follows. False: there is none, and none will
 * be started. */
bool agent_sidecar_end(struct agent_sidecar *s);

/* Borrowed. NULL: it is not there yet. */
const struct agent_process *
agent_sidecar_process(const struct agent_sidecar *s);
const struct agent_secrets *
agent_sidecar_secrets(const struct agent_sidecar *s);
/* Where the agent works. */
const char *agent_sidecar_directory(const struct agent_sidecar *s);

#endif
