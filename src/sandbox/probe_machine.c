/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_machine.c - decides whether commands run with namespaces, reduced, or
 * unconfined. */
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

#include "base/array.h"
#include "base/cleanup.h"
#include "sandbox/launch/landlock.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/probe.h"

#define STACK_BYTES 8192 /* of a child that ends at once */

static bool
exited_with_0(pid_t pid)
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
exit_at_once(void *arg)
{
    (void)arg;
    return 0;
}

/* The process shares our memory, which makes this ten times as fast as a try
 * that mounts. */
static bool
has_user_namespaces(void)
{
    char stack[STACK_BYTES] __attribute__((aligned(16)));

    return exited_with_0(clone(exit_at_once, stack + sizeof(stack),
                               CLONE_NEWUSER | CLONE_VM | CLONE_VFORK | SIGCHLD,
                               NULL));
}

/* Returns whether namespaces can be made, and file systems mounted in them, a
 * new /proc among these. The kernel refuses a new /proc where a part of the
 * present one is covered (mount_too_revealing in fs/namespace.c). */
static bool
has_mounts(void)
{
    pid_t pid = namespaces_clone(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID);

    if (pid == 0)
        _exit(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
              mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                    NULL) < 0);
    return exited_with_0(pid);
}

/* Returns whether something is mounted over a part of /proc, as container
 * engines do, some of which allow all namespaces. Looks at the first paths that
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
    for (size_t i = 0; i < ARRAY_SIZE(covered); i++)
        if (stat(covered[i], &st) == 0 && st.st_dev != top.st_dev)
            return true;
    return false;
}

/* Reads the beginning of a file; "" where it cannot be read. */
static const char *
read_beginning(const char *path, char text[32])
{
    CLEANUP(fd_close_p) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, 31);

    text[n < 0 ? 0 : n] = '\0';
    return text;
}

/* Returns whether something may allow namespaces, but nothing in them: a
 * seccomp filter around us, a container engine, AppArmor on Ubuntu, or a
 * profile such as Docker's. */
static bool
may_be_restricted(void)
{
    static const char free_of_it[] = "unconfined";
    char text[32];

    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0 || has_covered_proc() ||
        read_beginning("/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
                       text)[0] == '1')
        return true;
    return read_beginning("/proc/self/attr/current", text)[0] &&
           strncmp(text, free_of_it, sizeof(free_of_it) - 1) != 0;
}

static bool
has_namespaces(bool made)
{
    return (made || has_user_namespaces()) &&
           (!may_be_restricted() || has_mounts());
}

enum probe_machine
probe_machine(bool made)
{
    if (has_namespaces(made))
        return PROBE_WHOLE;
    return landlock_can_stand_alone() ? PROBE_REDUCED : PROBE_OPEN;
}
