/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limits.h - limits how much a confined child may use. */
#ifndef SANDBOX_LAUNCH_LIMITS_H
#define SANDBOX_LAUNCH_LIMITS_H

#include "sandbox/spec.h"

#define LIMITS_PROCESSES 1024         /* that the child may have at a time */
#define LIMITS_FILE      (4ull << 30) /* bytes of one file */
#define LIMITS_MEMORY    (4ull << 30) /* private bytes of one process */

/* Sets the limits of this process and what it starts: number of processes,
 * size of a file, memory, no core files. The profile `full` has no limits,
 * `observe-proc` may write no file at all. own_users: it is in a user namespace
 * of its own. In one that it shares the kernel counts all threads of the user,
 * and as many as the machine has now are added to the limit. */
int limits_set(const struct sandbox_spec *s, bool own_users, struct err *e);

/* Returns the bytes for /tmp and the other private directories, which lie in
 * memory: as many as for a process, and half of the machine's at most. */
uint64_t limits_tmpfs_bytes(const struct sandbox_spec *s);

/* Returns how many processes the child may have, which is what its pid
 * namespace may hold. */
unsigned limits_processes(const struct sandbox_spec *s);

/* Limits root's processes, to whom RLIMIT_NPROC does not apply, by the pid
 * namespace's own pid_max. Before Linux 6.14 that file is the whole machine's,
 * and is left alone. proc: a descriptor of a /proc of the namespace.
 * processes 0: no limit. */
int limits_set_pid_max(int proc, unsigned processes);

#endif
