/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_container.h - the command line of podman or docker for an agent.
 *
 * The image's entry point is agentctl. The working directory of the task is
 * mounted at the type's directory, and a directory for the socket of agentctl;
 * the container gets the values of variables from the environment of podman, so
 * that no list of processes shows them. */
#ifndef SERVER_GATEWAY_AGENT_CONTAINER_H
#define SERVER_GATEWAY_AGENT_CONTAINER_H

#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"
#include "server/gateway/agent_type.h"
#include "server/gateway/gateway_command.h"

#define AGENT_CONTAINER_NAME    "agentsh-" /* then the instance */
#define AGENT_CONTAINER_ADDRESS "unix:/run/agentctl/agentctl.sock"

struct agent_container {
    char *name;
    char **argv; /* NULL at the end */
    size_t n;
};

/* Finds out whether the image is here; nothing is fetched. cb is called once,
 * from the loop. NULL where that is not to be found out: e says why. */
struct gateway_command *
agent_container_find_image(struct loop *l, const struct seat *seat,
                           const struct config *config, const char *image,
                           gateway_command_cb *cb, void *arg, struct err *e);

struct agent_container_setup {
    const struct seat *seat;
    const struct config *config;
    const struct agent_type *type;
    const char *instance;
    const char *directory;        /* of the task */
    const char *socket_dir;       /* on this machine */
    const char *const *variables; /* NAME=value of the agent; NULL at the end */
};

/* Fills in c, which is all zero; agent_container_done in any case.
 * ERR_NOT_FOUND: neither podman nor docker is here. */
int agent_container_make(struct agent_container *c,
                         const struct agent_container_setup *set,
                         struct err *e);
void agent_container_done(struct agent_container *c); /* accepts NULL */

/* Removes a container that may still be there, and then the directory of its
 * socket; nothing waits for it. lock: of that directory, which is held as long,
 * so that whoever finds the directory without one does the same again. */
void agent_container_remove(struct loop *l, const struct seat *seat,
                            const struct config *config, const char *name,
                            const char *socket_dir, int lock);

#endif
