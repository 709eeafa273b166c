/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl.h - the sidecar of an agent: HTTP in front of its standard streams.
 *
 * server/agentctl/ runs one agent, a program that speaks JSON-RPC on standard
 * input and output, and passes messages on. It must not know what they mean,
 * but for the permission that it may be told to give. The files, from the
 * bottom: agentctl_process.c (the process), agentctl_calls.c and
 * agentctl_questions.c (open requests of both sides), agentctl_agent.c (who
 * gets which message), agentctl_listeners.c (WebSockets), agentctl.c (the
 * paths). */
#ifndef SERVER_AGENTCTL_AGENTCTL_H
#define SERVER_AGENTCTL_AGENTCTL_H

#include "base/loop.h"
#include "base/seat.h"
#include "server/agentctl/agentctl_settings.h"
#include "server/server_options.h"

struct agentctl;

/* Borrowed while it lives. */
struct agentctl_setup {
    struct loop *loop;
    const struct seat *seat;
    const struct agentctl_settings *settings;
    const struct server_options *options;
    void (*log)(void *arg, enum agentctl_level level, const char *line);
    uint64_t (*log_lost)(const void *arg); /* as of server_http.h */
    void (*ended)(void *arg);              /* after agentctl_stop */
    void *arg;
};

/* Listens, and starts the agent where the settings say so. */
struct agentctl *agentctl_new(const struct agentctl_setup *set, struct err *e);
/* Kills the agent. Accepts NULL. */
void agentctl_free(struct agentctl *h);

/* Loads the certificate anew (server_http.h). */
int agentctl_load(struct agentctl *h, struct err *e);

/* Listens no more, ends the agent, answers what is open; `ended` follows. */
void agentctl_stop(struct agentctl *h);

#endif
