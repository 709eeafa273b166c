/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_service.h - the Model Context Protocol for one client: its methods. */
#ifndef SERVER_MCP_MCP_SERVICE_H
#define SERVER_MCP_MCP_SERVICE_H

#include "base/seat.h"
#include "config/config.h"
#include "record/journal.h"

#define MCP_STOP_MS 1500 /* for what runs, when the client has left */

struct mcp_service;

/* All is borrowed while it lives, but for the policy's name. */
struct mcp_service_setup {
    struct loop *loop;
    const struct seat *seat; /* of the process */
    const struct config *config;
    const char *policy;      /* --policy; NULL: the person's rules */
    struct journal *journal; /* NULL: none is kept */
    int in, out;
    void (*log)(void *arg, const char *line); /* for standard error */
    void (*ended)(void *arg);                 /* the client has left */
    void *arg;
};

struct mcp_service *mcp_service_new(const struct mcp_service_setup *set,
                                    struct err *e);
/* Ends all that runs. Accepts NULL. */
void mcp_service_free(struct mcp_service *s);
DEFINE_CLEANUP(struct mcp_service, mcp_service_free)

/* Lets what runs end, for MCP_STOP_MS at most; then `ended` is called. */
void mcp_service_stop(struct mcp_service *s);

#endif
