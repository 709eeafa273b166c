/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_ssh.h - starts a guest agent on another host, by ssh(1).
 *
 * We speak with the agent on the pipes of the ssh process (rpc.h). Logging
 * in and reaching the host are left to ssh and its configuration. */
#ifndef WIRE_GUEST_SSH_H
#define WIRE_GUEST_SSH_H

#include <stdbool.h>

#include "base/proc.h"

/* Bytes of one message: the most that an agent sends. */
#define GUEST_SSH_MESSAGE_MAX (64u << 20)

struct guest_ssh {
    const struct seat *seat; /* where ssh is looked for, and runs */
    const char *host;        /* as ssh takes it: a name, an alias, user@host */
    const char *profile;     /* of the agent's commands; NULL: its default */
    /* For several at once: ssh asks nothing, and its messages go to a pipe.
     * Otherwise it asks on the terminal, and writes to our standard error. */
    bool batch;
    int connect_s; /* of `batch`: to wait for the connection */
};

/* ERR_NOT_FOUND: ssh is not installed. ERR_USAGE: the host name is invalid. */
struct proc *guest_ssh_start(const struct guest_ssh *how, struct err *e);

#endif
