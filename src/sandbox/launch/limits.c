/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limits.c - limits how much a confined child may use. */
#include "sandbox/launch/limits.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/spec.h"

#define PID_MAX_OWN (6 * 1000 + 14) /* Linux 6.14 */
#define NPROC_OWN   (5 * 1000 + 14) /* RLIMIT_NPROC for each user namespace */
/* With 0 the program of core_pattern in core(5) is still started. */
#define CORE_NONE     1
#define RESERVED_PIDS 300 /* pids that are never reused: kernel/pid.c */

/* AddressSanitizer's own mappings exceed every memory limit, and init would end
 * at its next allocation. */
#ifdef __SANITIZE_ADDRESS__
#define MEMORY_IS_BOUND false
#else
#define MEMORY_IS_BOUND true
#endif

/* Lowers a limit; never raises one. */
static int
lower_limit(int resource, rlim_t wanted)
{
    struct rlimit now;

    if (getrlimit(resource, &now) < 0)
        return -1;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < wanted)
        wanted = now.rlim_max;
    now.rlim_cur = now.rlim_max = wanted;
    return setrlimit(resource, &now);
}

static rlim_t
memory_of(const struct sandbox_spec *s)
{
    return s->memory_bytes ? s->memory_bytes : LIMITS_MEMORY;
}

uint64_t
limits_tmpfs_bytes(const struct sandbox_spec *s)
{
    struct sysinfo machine;
    uint64_t half, wanted = memory_of(s);

    if (sysinfo(&machine) < 0)
        return wanted;
    half = (uint64_t)machine.totalram * machine.mem_unit / 2;
    return half < wanted ? half : wanted;
}

unsigned
limits_processes(const struct sandbox_spec *s)
{
    return s->processes ? s->processes : LIMITS_PROCESSES;
}

/* Returns whether the output is a file, which may grow. */
static bool
is_output_file(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static unsigned
kernel_version(void)
{
    struct utsname name;
    unsigned major, minor;

    if (uname(&name) < 0 || sscanf(name.release, "%u.%u", &major, &minor) != 2)
        return 0;
    return major * 1000 + minor;
}

/* RLIMIT_NPROC for the child. Where it counts all threads of the user, those of
 * the machine are added: a desktop has more of them than a command may start.
 */
static rlim_t
processes_and_others(const struct sandbox_spec *s, bool own_users)
{
    bool counts_others = !own_users || kernel_version() < NPROC_OWN;
    struct sysinfo machine;

    return limits_processes(s) +
           (counts_others && sysinfo(&machine) == 0 ? machine.procs : 0);
}

int
limits_set(const struct sandbox_spec *s, bool own_users, struct err *e)
{
    bool writes = (s->profile != PROFILE_OBSERVE_PROC && !s->owners) ||
                  is_output_file(STDOUT_FILENO) ||
                  is_output_file(STDERR_FILENO);
    rlim_t file = s->file_bytes ? s->file_bytes : LIMITS_FILE;
    rlim_t memory = memory_of(s);

    if (s->profile == PROFILE_FULL)
        return 0;
    if (lower_limit(RLIMIT_CORE, CORE_NONE) < 0 ||
        lower_limit(RLIMIT_NPROC, processes_and_others(s, own_users)) < 0 ||
        lower_limit(RLIMIT_FSIZE, writes ? file : 0) < 0 ||
        (MEMORY_IS_BOUND && lower_limit(RLIMIT_DATA, memory) < 0))
        return sandbox_layer_missing(e, "limits");
    return 0;
}

int
limits_set_pid_max(int proc, unsigned processes)
{
    CLEANUP(fd_close_p) int fd = -1;
    char text[16];
    int n;

    if (processes == 0 || kernel_version() < PID_MAX_OWN)
        return 0;
    fd = openat(proc, "sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
    n = snprintf(text, sizeof(text), "%u", processes + RESERVED_PIDS);
    return fd >= 0 && write(fd, text, (size_t)n) == n ? 0 : -1;
}
