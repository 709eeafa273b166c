/* SPDX-License-Identifier: GPL-3.0-or-later */
/* children.c - children that we did not start. */
#include "base/children.h"

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

#define LIST_BYTES (8 * CHILDREN_MAX) /* "1234567 " each */
#define ROUNDS_MAX 10000              /* against one that forks for ever */

void
children_adopt(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
}

size_t
children_list(pid_t *pids, size_t max)
{
    char list[LIST_BYTES], path[64], *p, *end;
    CLEANUP(fd_close_p) int fd = -1;
    size_t n = 0;
    ssize_t got;

    /* proc(5): children of the main thread; we have no other that forks */
    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    fd = open(path, O_RDONLY | O_CLOEXEC);
    got = fd < 0 ? -1 : read(fd, list, sizeof(list) - 1);
    if (got <= 0)
        return 0;
    list[got] = '\0';
    for (p = list; n < max; p = end) {
        long pid = strtol(p, &end, 10);

        if (end == p || *end != ' ') /* the last one may be cut */
            break;
        pids[n++] = (pid_t)pid;
    }
    return n;
}

static bool
is_kept(pid_t pid, const pid_t *keep, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (keep[i] == pid)
            return true;
    }
    return false;
}

void
children_end(const pid_t *keep, size_t n)
{
    pid_t pids[CHILDREN_MAX];

    for (int round = 0; round < ROUNDS_MAX; round++) {
        size_t found = children_list(pids, CHILDREN_MAX), ended = 0;

        for (size_t i = 0; i < found; i++) {
            if (is_kept(pids[i], keep, n))
                continue;
            /* one that runs as root (sudo) is not ours to end or await */
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
