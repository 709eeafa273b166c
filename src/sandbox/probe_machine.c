/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_machine.c - which walls this machine has, at the cost of a process. */
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/launch/landlock.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/probe.h"

/* Namespaces can be made, and mounts in them: Ubuntu's AppArmor lets the first
 * be done alone. */
static bool
has_namespaces(void)
{
    pid_t pid = namespaces_clone(CLONE_NEWUSER | CLONE_NEWNS);
    int st = 0;

    if (pid == 0)
        _exit(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0);
    if (pid < 0)
        return false;
    while (waitpid(pid, &st, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(st) && WEXITSTATUS(st) == 0;
}

enum probe_machine
probe_machine(void)
{
    if (has_namespaces())
        return PROBE_WHOLE;
    return landlock_can_read() ? PROBE_REDUCED : PROBE_OPEN;
}
