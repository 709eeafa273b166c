/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_machine.c - one process finds which layers this machine has. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/landlock.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/probe.h"

#define STACK_BYTES 8192 /* of a child that ends at once */

static bool
ended_well(pid_t pid)
{
    int st = 0;

    if (pid < 0)
        return false;
    while (waitpid(pid, &st, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(st) && WEXITSTATUS(st) == 0;
}

static int
end(void *arg)
{
    (void)arg;
    return 0;
}

/* It borrows our memory, which makes it a tenth as dear as one that mounts. */
static bool
has_user_namespaces(void)
{
    char stack[STACK_BYTES] __attribute__((aligned(16)));

    return ended_well(clone(end, stack + sizeof(stack),
                            CLONE_NEWUSER | CLONE_VM | CLONE_VFORK | SIGCHLD,
                            NULL));
}

/* Namespaces can be made, and mounts in them, a new /proc among them: the
 * kernel refuses that where the one that is there is covered in part
 * (mount_too_revealing in its fs/namespace.c). */
static bool
has_mounts(void)
{
    pid_t pid = namespaces_clone(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID);

    if (pid == 0)
        _exit(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
              mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                    NULL) < 0);
    return ended_well(pid);
}

/* Whether something is mounted over a part of /proc, as the engines of
 * containers do, some of which let all namespaces be made: the first of what
 * they mask. */
static bool
has_covered_proc(void)
{
    static const char *const covered[] = {"/proc/kcore", "/proc/keys",
                                          "/proc/timer_list", "/proc/scsi",
                                          "/proc/acpi"};
    struct stat top, st;

    if (stat("/proc", &top) < 0)
        return true;
    for (size_t i = 0; i < sizeof(covered) / sizeof(*covered); i++)
        if (stat(covered[i], &st) == 0 && st.st_dev != top.st_dev)
            return true;
    return false;
}

/* The beginning of a file; "" where it has none. */
static const char *
begin_of(const char *path, char text[32])
{
    CLEANUP(fd_close_p) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, 31);

    text[n < 0 ? 0 : n] = '\0';
    return text;
}

/* Whether somebody may let namespaces be made, and nothing in them: a filter
 * around us, an engine of containers, AppArmor on Ubuntu, a profile as
 * Docker's. */
static bool
is_watched(void)
{
    static const char free_of_it[] = "unconfined";
    char text[32];

    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0 || has_covered_proc() ||
        begin_of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
                 text)[0] == '1')
        return true;
    return begin_of("/proc/self/attr/current", text)[0] &&
           strncmp(text, free_of_it, sizeof(free_of_it) - 1) != 0;
}

static bool
has_namespaces(bool made)
{
    return (made || has_user_namespaces()) && (!is_watched() || has_mounts());
}

enum probe_machine
probe_machine(bool made)
{
    if (has_namespaces(made))
        return PROBE_WHOLE;
    return landlock_can_read() ? PROBE_REDUCED : PROBE_OPEN;
}
