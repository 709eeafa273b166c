/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_try.c - tries name spaces in a process that ends. */
#include "sandbox/probe_try.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/linux_calls.h"
#include "sandbox/confine.h"
#include "sandbox/layer.h"
#include "sandbox/preview/overlay.h"
#include "sandbox/probe.h"

#define LIMIT_S   5    /* no try takes a hundredth of it */
#define KILLED_MS 1000 /* more than a killed process needs */

static int
put(const char *path, const char *text)
{
    CLEANUP(fd_close_p) int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        return errno;
    return 0;
}

static bool
wait_end(int pidfd, int64_t deadline_ms)
{
    struct pollfd end = {.fd = pidfd, .events = POLLIN};

    for (;;) {
        int64_t left_ms = deadline_ms - clock_ms();
        int n = poll(&end, 1, left_ms > 0 ? (int)left_ms : 0);

        if (n > 0 || (n < 0 && errno != EINTR))
            return n > 0;
        if (n == 0 && left_ms <= 0)
            return false;
    }
}

/* Waits for the end of a try. The alarm of its own may be blocked, and a mount
 * may hang: then it is left to whoever reaps what we leave. */
static void
reap(pid_t pid)
{
    CLEANUP(fd_close_p) int fd = linux_pidfd_open(pid, 0);
    int64_t deadline_ms = clock_ms() + (int64_t)(LIMIT_S + 1) * 1000;

    if (fd >= 0 && !wait_end(fd, deadline_ms)) {
        (void)kill(pid, SIGKILL);
        if (!wait_end(fd, clock_ms() + KILLED_MS))
            return;
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* The same user inside. */
static int
enter_user(void)
{
    unsigned uid = geteuid(), gid = getegid();
    char map[64];
    int rc;

    if (unshare(CLONE_NEWUSER) < 0)
        return errno;
    /* The front lets nobody look into it, which makes its files in /proc
     * root's: no other user could write the map there. What it holds open is
     * gone from here. */
    (void)prctl(PR_SET_DUMPABLE, 1);
    rc = put("/proc/self/setgroups", "deny");
    snprintf(map, sizeof(map), "%u %u 1", uid, uid);
    if (rc == 0)
        rc = put("/proc/self/uid_map", map);
    snprintf(map, sizeof(map), "%u %u 1", gid, gid);
    return rc ? rc : put("/proc/self/gid_map", map);
}

/* Ubuntu's AppArmor lets a user namespace be made, and nothing in it. */
static int
enter_mount(void)
{
    if (unshare(CLONE_NEWNS) < 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, NULL) < 0)
        return errno;
    return 0;
}

static int
try_overlay(void)
{
    static const char *const dirs[] = {"/tmp/l", "/tmp/u", "/tmp/w", "/tmp/m"};

    for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
        if (mkdir(dirs[i], 0700) < 0)
            return errno;
    }
    if (mount("overlay", "/tmp/m", "overlay", 0,
              "lowerdir=/tmp/l,upperdir=/tmp/u,workdir=/tmp/w,userxattr") < 0)
        return errno;
    return 0;
}

/* The namespaces in which a preview runs, and the mount that it begins with. */
static void
try_view(const char *workspace, const char *preview, struct err *e)
{
    int sys;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)alarm(LIMIT_S);
    sys = enter_user();
    if (sys == 0 && unshare(CLONE_NEWNS) < 0)
        sys = errno;
    if (sys)
        err_set(e, ERR_SANDBOX, "namespaces: %s", strerror(sys));
    else if (overlay_open(workspace, preview, e) >= 0)
        *e = (struct err){0};
    _exit(0);
}

/* In a process whose pid namespace is new. */
static void
try_inside(struct probe_tries *t)
{
    t->proc = mount("proc", "/proc", "proc", 0, NULL) < 0 ? errno : 0;
    t->pid_max = t->proc ? PROBE_UNTRIED
                         : put("/proc/sys/kernel/pid_max", "4096");
    _exit(0);
}

static void
try_all(struct probe_tries *t)
{
    pid_t pid;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)alarm(LIMIT_S);
    (void)linux_close_range(STDERR_FILENO + 1, ~0u, 0);
    t->user = enter_user();
    if (t->user)
        _exit(0);
    t->mount = enter_mount();
    if (t->mount)
        _exit(0);
    t->overlay = try_overlay();
    t->net = unshare(CLONE_NEWNET) < 0 ? errno : 0;
    t->pid = unshare(CLONE_NEWPID) < 0 ? errno : 0;
    pid = t->pid ? -1 : fork();
    if (pid == 0)
        try_inside(t);
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
    _exit(0);
}

/* Ends with the length of what is closed, as two bytes in a pipe. */
static void
find_closed(const char *path, int out)
{
    uint16_t closed = 0;
    char part[PATH_MAX];
    struct err e;

    if (confine_capabilities(0, &e) < 0)
        _exit(1);
    for (size_t n = strlen(path), i = 1; i <= n && !closed; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (faccessat(AT_FDCWD, part, X_OK, AT_EACCESS) < 0)
            closed = (uint16_t)i;
    }
    _exit(write(out, &closed, sizeof(closed)) == sizeof(closed) ? 0 : 1);
}

static int
refuse_closed(const char *path, int closed, struct err *e)
{
    return err_set(e, ERR_PERMISSION,
                   "%.*s: permission denied for steps, which run without "
                   "capabilities: " LAYER_CLOSED,
                   closed > 100 ? 100 : closed, path);
}

int
probe_program(const char *path, struct err *e)
{
    CLEANUP(fd_close_p) int reads = -1, writes = -1;
    uint16_t closed = 0;
    int fds[2];
    pid_t pid;
    bool whole;

    if (path[0] != '/' || strlen(path) >= PATH_MAX)
        return err_set(e, ERR_INVALID, "%.100s: not the path of a program",
                       path);
    if (fd_pipe(fds, e) < 0)
        return -1;
    reads = fds[0];
    writes = fds[1];
    pid = fork();
    if (pid < 0)
        return err_sys(e, "fork");
    if (pid == 0)
        find_closed(path, writes);
    fd_close_p(&writes);
    whole = read(reads, &closed, sizeof(closed)) == sizeof(closed);
    reap(pid);
    if (!whole)
        return err_set(e, ERR_IO, "cannot tell whether %.100s is executable",
                       path);
    return closed ? refuse_closed(path, closed, e) : 0;
}

int
probe_overlay(const char *workspace, const char *preview, struct err *e)
{
    struct err *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct err found;
    pid_t pid;

    if (shared == MAP_FAILED)
        return err_sys(e, "memory");
    err_set(shared, ERR_SANDBOX, "overlay: it could not be tried");
    pid = fork();
    if (pid == 0)
        try_view(workspace, preview, shared);
    if (pid > 0)
        reap(pid);
    found = *shared;
    (void)munmap(shared, sizeof(*shared));
    if (pid < 0)
        return err_sys(e, "fork");
    return found.code == ERR_NONE ? 0
                                  : err_set(e, found.code, "%s", found.text);
}

int
probe_try(struct probe_tries *out, struct err *e)
{
    struct probe_tries *shared = mmap(NULL, sizeof(*shared),
                                      PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pid;

    if (shared == MAP_FAILED)
        return err_sys(e, "memory");
    memset(shared, 0xFF, sizeof(*shared)); /* PROBE_UNTRIED everywhere */
    pid = fork();
    if (pid == 0)
        try_all(shared);
    if (pid > 0)
        reap(pid);
    *out = *shared;
    (void)munmap(shared, sizeof(*shared));
    return pid < 0 ? err_sys(e, "fork") : 0;
}
