/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owners.h - which processes hold which sockets, and who they are. */
#ifndef PLUGINS_SERVICES_OWNERS_H
#define PLUGINS_SERVICES_OWNERS_H

#include "plugins/lib/span.h"
#include "plugins/lib/users.h"
#include "plugins/services/listeners.h"

/* Goes through /proc once and fills pid and processes in. *hidden: processes
 * whose descriptors we may not see, which may be the holders of the rest. */
void owners_find(int root, struct listeners *l, size_t *hidden);

struct process {
    int pid;
    char program[64]; /* as the kernel calls it: 15 bytes of its name */
    char user[USERS_NAME_SIZE];
    char unit[256]; /* systemd's, "" for none */
};

/* False when it is gone. */
bool process_read(int root, const struct users *u, int pid,
                  struct process *out);

/* The effective user of a text as of /proc/PID/status. */
bool process_uid(struct span status, uint64_t *uid);

/* The service in a text as of /proc/PID/cgroup: the last part of a path that
 * ends in .service. "" for none. Returns unit. */
const char *process_unit(struct span cgroup, char *unit, size_t size);

#endif
