/* SPDX-License-Identifier: GPL-3.0-or-later */
/* namespaces.c - forks a child into namespaces of its own. */
#include "sandbox/launch/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "sandbox/spec.h"

#define LAYER   "user namespaces"
#define MAP_MAX 4096 /* user_namespaces(7): maps of at most 340 lines */

unsigned
namespaces_of_profile(enum profile p)
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

unsigned
namespaces_network(const struct sandbox_spec *s)
{
    bool looks = s->net || s->sees_all;

    return !looks && (namespaces_of_profile(s->profile) & CLONE_NEWPID)
               ? CLONE_NEWNET
               : 0;
}

/* The first two arguments of clone(2): the flags, and no stack. On s390 they
 * are swapped (clone(2), "C library/kernel differences"). */
#ifdef __s390__
#define CLONE_FLAGS(flags) 0UL, (unsigned long)(flags)
#else
#define CLONE_FLAGS(flags) (unsigned long)(flags), 0UL
#endif

pid_t
namespaces_clone(unsigned flags)
{
    struct clone_args args = {
        .flags = flags,
        .exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD,
    };
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

    if (pid >= 0 || errno != ENOSYS)
        return pid;
    return (pid_t)syscall(SYS_clone, CLONE_FLAGS(flags | args.exit_signal), 0,
                          0, 0);
}

pid_t
namespaces_fork(unsigned namespaces, struct err *e)
{
    pid_t pid = namespaces_clone(namespaces);

    if (pid < 0)
        sandbox_layer_missing(e, namespaces ? LAYER : "process");
    return pid;
}

int
namespaces_unshare_rest(unsigned namespaces, struct err *e)
{
    unsigned rest = namespaces & ~(unsigned)NAMESPACES_FIRST;

    return unshare((int)rest) < 0 ? sandbox_layer_missing(e, LAYER) : 0;
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
        return sandbox_layer_missing_at(e, LAYER, file);
    return 0;
}

/* Maps the ids [from, to) to themselves. */
static void
map_same(struct buf *map, uint64_t from, uint64_t to)
{
    if (from < to)
        buf_printf(map, "%u %u %u\n", (unsigned)from, (unsigned)from,
                   (unsigned)(to - from));
}

/* Reads the next line of a map; false: there is none. */
static bool
next_map_line(char **p, uint64_t n[3])
{
    for (int i = 0; i < 3; i++) {
        char *end;

        n[i] = strtoul(*p, &end, 10);
        if (end == *p)
            return false;
        *p = end;
    }
    return true;
}

/* Root's map: every owner is shown as it is. Where the child may write, root
 * itself becomes nobody, since it has no capability in the sandbox, and
 * programs that run as root try what only capabilities allow (tar changes
 * owners, and fails). */
static int
map_root(const char *ours, bool nobody, struct buf *map)
{
    CLEANUP(fd_close_p) int fd = open(ours, O_RDONLY | O_CLOEXEC);
    char text[MAP_MAX];
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    uint64_t n[3]; /* the first id inside, the first outside, their number */

    if (got <= 0)
        return -1;
    text[got] = '\0';
    if (nobody)
        buf_printf(map, "%u 0 1\n", NAMESPACES_NOBODY);
    for (char *p = text; next_map_line(&p, n);) {
        uint64_t from = n[0], to = from + n[2];
        uint64_t middle = to < NAMESPACES_NOBODY ? to : NAMESPACES_NOBODY;

        if (!nobody) {
            map_same(map, from, to);
            continue;
        }
        map_same(map, from ? from : 1, middle);
        map_same(map, from > NAMESPACES_NOBODY ? from : NAMESPACES_NOBODY + 1,
                 to);
    }
    return map->bad ? -1 : 0;
}

static int
map_ids(pid_t child, const char *file, unsigned id, bool nobody, struct err *e)
{
    CLEANUP_BUF struct buf map = buf_of(MAP_MAX);
    char ours[32];

    nobody &= id == 0;
    snprintf(ours, sizeof(ours), "/proc/self/%s", file);
    if (geteuid() == 0 && map_root(ours, nobody, &map) == 0 &&
        write_once(child, file, map.p, e) == 0)
        return 0;
    buf_clear(&map);
    buf_printf(&map, "%u %u 1", nobody ? NAMESPACES_NOBODY : id, id);
    return write_once(child, file, map.p, e);
}

int
namespaces_map(pid_t child, unsigned namespaces, int channel, struct err *e)
{
    bool nobody = geteuid() == 0 && (namespaces & CLONE_NEWPID);

    if (write_once(child, "setgroups", "deny", e) < 0 ||
        map_ids(child, "uid_map", geteuid(), nobody, e) < 0 ||
        map_ids(child, "gid_map", getegid(), nobody, e) < 0)
        return -1;
    if (send(channel, "g", 1, MSG_NOSIGNAL) != 1)
        return sandbox_layer_missing(e, "start");
    return 0;
}

void
namespaces_wait(int channel)
{
    char byte;

    if (recv(channel, &byte, 1, 0) != 1)
        _exit(EXIT_UNREPORTED);
}
