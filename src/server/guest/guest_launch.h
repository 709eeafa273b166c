/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_launch.h - starts the process of a command, confined or not. */
#ifndef SERVER_GUEST_GUEST_LAUNCH_H
#define SERVER_GUEST_GUEST_LAUNCH_H

#include "base/proc.h"
#include "base/pty.h"
#include "server/guest/guest_command.h"

/* With pipes, or with a terminal that it opens in *pty. Where the agent
 * confines commands, the process is the launcher, which spawn_signal and
 * SIGTERM are for. The errors are those of proc_start and of the sandbox. */
struct proc *guest_launch(const struct guest_shared *sh, uint64_t owner,
                          const struct guest_command_spec *spec,
                          struct pty *pty, struct err *e);

#endif
