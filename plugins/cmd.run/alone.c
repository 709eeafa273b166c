/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alone.c - what a command leaves behind does not meet the next one. */
#include "plugins/cmd.run/alone.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

/* The inode of the first pid namespace, the kernel's PROC_PID_INIT_INO. */
#define MACHINES_OWN 0xEFFFFFFCu
#define FIRST        1 /* the launcher's reaper */
#define SECOND       2 /* all that it starts: us */

static bool
is_launchers(const char *file)
{
    static const char name[] = "agentsh-launch";
    CLEANUP(fd_close_p) int fd = open(file, O_RDONLY | O_CLOEXEC);
    char comm[32];
    ssize_t n = fd < 0 ? -1 : read(fd, comm, sizeof(comm));

    /* comm holds fifteen bytes */
    return n > (ssize_t)strlen(name) && memcmp(comm, name, strlen(name)) == 0;
}

/* Each of these alone could be so elsewhere; kill(-1) must never be. */
static bool
owns_namespace(void)
{
    struct stat st;

    return getpid() == SECOND && getppid() == FIRST &&
           stat("/proc/self/ns/pid", &st) == 0 && st.st_ino != MACHINES_OWN &&
           is_launchers("/proc/1/comm");
}

void
alone_hide(void)
{
    (void)prctl(PR_SET_DUMPABLE, 0);
}

/* Whatever a command started is below us, and comes to us when its parent ends
 * (base/children.h), however it was started: without a child we are alone. */
static bool
is_childless(void)
{
    siginfo_t si;

    return waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 &&
           errno == ECHILD;
}

void
alone_clear(void)
{
    if (is_childless() || !owns_namespace())
        return;
    (void)kill(-1, SIGKILL); /* not to us, nor to the first process */
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        ;
}
