/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_ssh.h - starts a guest agent on another host, by ssh(1).
 *
 * The agent speaks on the pipes of the ssh process (rpc.h). Who may log in, and
 * how the host is reached, is the business of ssh and its own files. */
#ifndef WIRE_GUEST_SSH_H
#define WIRE_GUEST_SSH_H

#include <stdbool.h>

#include "base/proc.h"

/* Of one message: what an agent sends at most. */
#define GUEST_SSH_MESSAGE_MAX (64u << 20)

struct guest_ssh {
    const struct seat *seat; /* where ssh is looked for, and runs */
    const char *host;        /* as ssh takes it: a name, an alias, user@host */
    const char *profile;     /* of the agent's commands; NULL: its default */
    /* Nothing is asked, and ssh's own words come by a pipe: several are started
     * at once. Else it asks on the terminal, and speaks to our standard error.
     */
    bool batch;
    int connect_s; /* of `batch`: to wait for the connection */
};

/* ERR_NOT_FOUND: there is no ssh here. ERR_USAGE: the host is no name. */
struct proc *guest_ssh_start(const struct guest_ssh *how, struct err *e);

#endif
