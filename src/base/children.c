/* SPDX-License-Identifier: GPL-3.0-or-later */
/* children.c - finds and ends orphaned descendants. */
#include "base/children.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

#define LIST_BYTES   2048
#define ROUNDS_MAX   10000 /* against a process that forks without end */
#define FDINFO_BYTES 512   /* of a pidfd: a few lines with a number each */

void
children_adopt(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void
children_each(void (*each)(void *arg, pid_t pid), void *arg)
{
    char bytes[LIST_BYTES], path[64];
    CLEANUP(fd_close_p) int fd = -1;
    siginfo_t si;
    ssize_t got;
    pid_t pid = 0;

    if (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0)
        return; /* the usual case: there are none */
    /* proc(5): the children of the main thread, the only one that forks; a
     * number and a blank each */
    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (got = read(fd, bytes, sizeof(bytes))) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                pid = 10 * pid + (bytes[i] - '0');
                continue;
            }
            if (pid > 0)
                each(arg, pid);
            pid = 0;
        }
    }
}

struct child_list {
    pid_t *pids;
    size_t n, max;
};

static void
list_child(void *arg, pid_t pid)
{
    struct child_list *list = arg;

    if (list->n < list->max)
        list->pids[list->n++] = pid;
}

size_t
children_list(pid_t *pids, size_t max)
{
    struct child_list list = {.pids = pids, .max = max};

    children_each(list_child, &list);
    return list.n;
}

/* The process that an entry of /proc/self/fdinfo is a pidfd for; 0: it is no
 * pidfd. */
static pid_t
held_by(int dir, const char *name)
{
    CLEANUP(fd_close_p) int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    char text[FDINFO_BYTES];
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    const char *at;

    if (n <= 0)
        return 0;
    text[n] = '\0';
    at = strstr(text, "\nPid:");
    return at ? (pid_t)strtol(at + strlen("\nPid:"), NULL, 10) : 0;
}

/* A process in the group of a child that was started belongs to that child (see
 * the zygote in sandbox/launch/). */
bool
children_is_started(pid_t pid)
{
    CLEANUP(dir_close_p) DIR *d = opendir("/proc/self/fdinfo");
    const struct dirent *entry;
    pid_t group = getpgid(pid);

    while (d && (entry = readdir(d)) != NULL) {
        pid_t held = held_by(dirfd(d), entry->d_name);

        if (held == pid || (held > 0 && held == group))
            return true;
    }
    return false;
}

static bool
is_child_kept(pid_t pid, const pid_t *keep, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (keep[i] == pid)
            return true;
    }
    return children_is_started(pid);
}

void
children_end(const pid_t *keep, size_t n)
{
    pid_t pids[CHILDREN_MAX];

    for (int round = 0; round < ROUNDS_MAX; round++) {
        size_t found = children_list(pids, CHILDREN_MAX), ended = 0;

        for (size_t i = 0; i < found; i++) {
            if (is_child_kept(pids[i], keep, n))
                continue;
            /* a process that runs as root (sudo) can be neither killed nor
             * awaited */
            if (kill(pids[i], SIGKILL) < 0 && errno == EPERM)
                continue;
            while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
                ;
            ended++;
        }
        if (ended == 0)
            return;
    }
}
