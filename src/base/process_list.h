/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_list.h - lists the processes of this machine, and which of them a
 * sandbox of agentsh confines.
 *
 * A process counts as confined if it descends from a launcher
 * (sandbox/launch/), of whichever agentsh and profile: what is confined can
 * neither end its launcher nor leave its tree. By /proc, as proc(5) describes
 * it. */
#ifndef BASE_PROCESS_LIST_H
#define BASE_PROCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* What the kernel calls a launcher (PR_SET_NAME), and agentsh exec, which is
 * the launcher of its own command. */
#define PROCESS_LAUNCHER "agentsh-launch"
#define PROCESS_EXEC     "agentsh-exec"

struct process_entry {
    pid_t pid, parent;
    uint64_t begun; /* ticks since the system started: with pid, unique */
    bool launcher;
    bool ended; /* its parent has not read its status yet */
};

struct process_list {
    struct process_entry *v; /* by pid */
    size_t n;
};

/* Lists all processes. ERR_NOMEM, or why not all of /proc can be read. */
int process_list_read(struct process_list *out, struct err *e);
/* For CLEANUP. */
void process_list_done(struct process_list *p);

/* Whether the process is a launcher, has one among its ancestors, or descends
 * from `below`; also where its ancestors cannot be followed to the first
 * process that there is, as while some of them end. */
bool process_list_is_confined(const struct process_list *p,
                              const struct process_entry *x, pid_t below);

/* The real user of a process; false: it has ended. */
bool process_entry_uid(const struct process_entry *x, uid_t *uid);

/* Whether that process still exists, and its number is not another's. */
bool process_entry_is_there(const struct process_entry *x);

#endif
