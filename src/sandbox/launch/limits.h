/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limits.h - how much a confined child may use. */
#ifndef SANDBOX_LIMITS_H
#define SANDBOX_LIMITS_H

#include "sandbox/spec.h"

#define LIMITS_PROCESSES 1024         /* of one user, in the namespace */
#define LIMITS_FILE      (4ull << 30) /* bytes of one file */
#define LIMITS_MEMORY    (4ull << 30) /* private bytes of one process */

/* For this process and what it starts: processes, size of a file, memory, no
 * core files. `full` has none of them, `observe-proc` writes no file at all. */
int limits_set(const struct sandbox_spec *s, struct err *e);

/* Bytes of what is written in /tmp and the other private places, which are
 * memory: as for a process, and half of the machine's at most. */
uint64_t limits_room(const struct sandbox_spec *s);

/* How many processes the namespace may hold. */
unsigned limits_processes(const struct sandbox_spec *s);

/* For root, whom RLIMIT_NPROC does not bind: the same by the pid namespace's
 * own pid_max, which Linux 6.14 brought. Before that the file is the whole
 * machine's and is left alone. proc: a /proc of the namespace. 0 processes: no
 * limit. */
int limits_pids(int proc, unsigned processes);

#endif
