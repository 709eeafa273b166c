/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_process.h - the process that an agentctl and its agent run in.
 *
 * A confined local process, or a container where the type names an image and
 * podman or docker is there. agentctl listens on a Unix socket in a directory
 * of its own that this user alone may enter. Nothing of it is left behind: the
 * whole tree ends with it, and a container is removed. */
#ifndef SERVER_GATEWAY_AGENT_PROCESS_H
#define SERVER_GATEWAY_AGENT_PROCESS_H

#include "base/buf.h"
#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"
#include "server/gateway/agent_type.h"

#define AGENT_INSTANCE_SIZE 17   /* of an id, with its NUL */
#define AGENT_ERRORS_MAX    4000 /* bytes kept of its standard error */

struct agent_process;

/* Borrowed until agent_process_start returns, but for loop, config and seat. */
struct agent_process_setup {
    struct loop *loop;
    const struct seat *seat;
    const struct config *config;
    const struct agent_type *type;
    const char *agentctl; /* its program; NULL: the one that is installed */
    bool contained;       /* in a container of the type's image */
    const char *instance;
    const char *task_id;
    const char *directory;
    const char *description;    /* NULL: none */
    const char *session_id;     /* NULL: none */
    const char *const *secrets; /* NAME=value; NULL at the end */
    void (*ended)(void *arg);   /* the whole tree; called once, from the loop */
    void *arg;
};

struct agent_process *agent_process_start(const struct agent_process_setup *set,
                                          struct err *e);
/* Asks it to end; `ended` follows, at the latest after some seconds. */
void agent_process_end(struct agent_process *p);
/* Ends it at once, without `ended`; what does not obey is killed later by the
 * loop. Accepts NULL. */
void agent_process_free(struct agent_process *p);
DEFINE_CLEANUP(struct agent_process, agent_process_free)

/* Removes what agents of gateways that were killed left: sockets with their
 * directories, and containers. So does each start of an agent. */
void agent_process_remove_abandoned(struct loop *l, const struct seat *seat,
                                    const struct config *config);

/* All borrowed. Where agentctl listens, as address.h reads it. */
const char *agent_process_address(const struct agent_process *p);
/* The agent's command line, or the image that has it. */
const char *agent_process_command(const struct agent_process *p);
/* The end of what agentctl, or what runs it, wrote to its standard error. */
const char *agent_process_errors(const struct agent_process *p);

/* The program of the type's command; the caller frees it. NULL: there is none
 * here. */
char *agent_process_find_command(const struct agent_type *t,
                                 const struct seat *seat);

#endif
