/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_server.h - the agent on a port of its own. */
#ifndef SERVER_ACP_ACP_SERVER_H
#define SERVER_ACP_ACP_SERVER_H

#include "server/acp/acp_port.h"
#include "server/server_options.h"

struct acp_server;

/* Borrowed while it lives. */
struct acp_server_setup {
    struct acp_agent_setup agent;
    const struct server_options *options;
    uint64_t (*log_lost)(const void *arg); /* as of server_http.h */
    void (*ended)(void *arg); /* with the arg of the agent's setup */
};

struct acp_server *acp_server_new(const struct acp_server_setup *set,
                                  struct err *e);
void acp_server_free(struct acp_server *s); /* ends what runs; accepts NULL */
DEFINE_CLEANUP(struct acp_server, acp_server_free)

/* Loads the certificate anew, and takes these settings for sessions that are
 * opened from now on, or, on an error, changes nothing. */
int acp_server_load(struct acp_server *s, struct config *config, struct err *e);

/* Listens no more, ends as acp_port_stop says, closes the connections and calls
 * `ended`. */
void acp_server_stop(struct acp_server *s);

#endif
