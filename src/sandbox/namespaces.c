/* SPDX-License-Identifier: GPL-3.0-or-later */
/* namespaces.c - a child in namespaces of its own. */
#include "sandbox/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "sandbox/layer.h"

#define LAYER   "user namespaces"
#define MAP_MAX 4096 /* user_namespaces(7): maps of at most 340 lines */

unsigned
namespaces_of(enum profile p)
{
    unsigned view = CLONE_NEWUSER | CLONE_NEWNS;

    switch (p) {
    case PROFILE_READ_ONLY:
    case PROFILE_WORKSPACE_WRITE:
    case PROFILE_PREVIEW:
    case PROFILE_PLUGIN:
        return view | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
               CLONE_NEWCGROUP;
    case PROFILE_OBSERVE:
        return view;
    default:
        return 0;
    }
}

pid_t
namespaces_fork(unsigned namespaces, struct err *e)
{
    struct clone_args args = {.flags = namespaces, .exit_signal = SIGCHLD};
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

    if (pid < 0)
        layer_missing(e, namespaces ? LAYER : "process");
    return pid;
}

static int
write_once(pid_t child, const char *file, const char *text, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    char path[64];
    size_t n = strlen(text);

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)child, file);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, n) != (ssize_t)n)
        return layer_missing_at(e, LAYER, file);
    return 0;
}

/* Root sees all owners as they are: every id that we have is itself. */
static int
map_all(const char *ours, struct buf *map)
{
    CLEANUP(fd_close_p) int fd = open(ours, O_RDONLY | O_CLOEXEC);
    char text[MAP_MAX];
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    unsigned inside, outside, count;
    int n = 0;

    if (got <= 0)
        return -1;
    text[got] = '\0';
    for (const char *p = text;
         sscanf(p, "%u %u %u%n", &inside, &outside, &count, &n) == 3; p += n)
        buf_printf(map, "%u %u %u\n", inside, inside, count);
    return map->bad ? -1 : 0;
}

static int
map_ids(pid_t child, const char *file, unsigned id, struct err *e)
{
    CLEANUP_BUF struct buf map = buf_of(MAP_MAX);
    char ours[32];

    snprintf(ours, sizeof(ours), "/proc/self/%s", file);
    if (geteuid() == 0 && map_all(ours, &map) == 0 &&
        write_once(child, file, map.p, e) == 0)
        return 0;
    buf_clear(&map);
    buf_printf(&map, "%u %u 1", id, id);
    return write_once(child, file, map.p, e);
}

int
namespaces_map(pid_t child, int line, struct err *e)
{
    if (write_once(child, "setgroups", "deny", e) < 0 ||
        map_ids(child, "uid_map", geteuid(), e) < 0 ||
        map_ids(child, "gid_map", getegid(), e) < 0)
        return -1;
    if (send(line, "g", 1, MSG_NOSIGNAL) != 1)
        return layer_missing(e, "start");
    return 0;
}

void
namespaces_wait(int line)
{
    char byte;

    if (recv(line, &byte, 1, 0) != 1)
        _exit(EXIT_UNTOLD);
}
