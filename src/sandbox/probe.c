/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c - tries each layer of the sandbox and describes what is missing. */
#include "sandbox/probe.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/fd.h"
#include "base/linux_calls.h"
#include "sandbox/confine.h"
#include "sandbox/preview/overlay.h"
#include "sandbox/spec.h"

#define UNTRIED (-1) /* a layer that it needs is missing */

/* For each layer: 0, an errno, or UNTRIED. */
struct tries {
    int user, mount, overlay, net, pid, proc;
    int pid_max; /* a limit of processes of the namespace's own */
};

#define LIMIT_S   5    /* seconds; no try takes a hundredth of it */
#define KILLED_MS 1000 /* more than a killed process needs */

static int
write_text(const char *path, const char *text)
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

/* Waits until a process that tries something ends. Its alarm may be blocked,
 * and a mount may hang: then the process is left to whoever reaps our
 * orphans. */
static void
reap_try(pid_t pid)
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

/* Enters a user namespace that maps only our user and group, to themselves. */
static int
enter_user(void)
{
    unsigned uid = geteuid(), gid = getegid();
    char map[64];
    int rc;

    if (unshare(CLONE_NEWUSER) < 0)
        return errno;
    /* The front is not dumpable, so that its files in /proc belong to root and
     * another user cannot write the maps there. This process has closed the
     * front's descriptors. */
    (void)prctl(PR_SET_DUMPABLE, 1);
    rc = write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof(map), "%u %u 1", uid, uid);
    if (rc == 0)
        rc = write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof(map), "%u %u 1", gid, gid);
    return rc ? rc : write_text("/proc/self/gid_map", map);
}

/* Enters a mount namespace and mounts something, because AppArmor on Ubuntu
 * allows a user namespace but nothing in it. */
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

    for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
        if (mkdir(dirs[i], 0700) < 0)
            return errno;
    }
    if (mount("overlay", "/tmp/m", "overlay", 0,
              "lowerdir=/tmp/l,upperdir=/tmp/u,workdir=/tmp/w,userxattr") < 0)
        return errno;
    return 0;
}

/* Tries the namespaces in which a preview runs, and its first mount. */
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
        err_set(e, ERR_SANDBOX, "namespaces: %s", err_system(sys));
    else if (overlay_open(workspace, preview, e) >= 0)
        *e = (struct err){0};
    _exit(0);
}

/* Tries what needs a new pid namespace, in its first process. */
static void
try_inside(struct tries *t)
{
    t->proc = mount("proc", "/proc", "proc", 0, NULL) < 0 ? errno : 0;
    t->pid_max = t->proc ? UNTRIED
                         : write_text("/proc/sys/kernel/pid_max", "4096");
    _exit(0);
}

static void
try_all(struct tries *t)
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

/* Writes the length of the part of the path that is closed, as two bytes, into
 * a pipe, and ends. */
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
                   "capabilities: " SANDBOX_LAYER_CLOSED,
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
    reap_try(pid);
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
        reap_try(pid);
    found = *shared;
    (void)munmap(shared, sizeof(*shared));
    if (pid < 0)
        return err_sys(e, "fork");
    return found.code == ERR_NONE ? 0
                                  : err_set(e, found.code, "%s", found.text);
}

static int
try_layers(struct tries *out, struct err *e)
{
    struct tries *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pid;

    if (shared == MAP_FAILED)
        return err_sys(e, "memory");
    memset(shared, 0xFF, sizeof(*shared)); /* UNTRIED everywhere */
    pid = fork();
    if (pid == 0)
        try_all(shared);
    if (pid > 0)
        reap_try(pid);
    *out = *shared;
    (void)munmap(shared, sizeof(*shared));
    return pid < 0 ? err_sys(e, "fork") : 0;
}

/* What the person is told. */

#define ABI_WHOLE    6 /* scopes: abstract sockets, signals (Linux 6.12) */
#define ABI_TRUNCATE 3

const char *
probe_name(enum probe_layer layer)
{
    static const char *const names[PROBE_N] = {
        [PROBE_SECCOMP] = "seccomp",     [PROBE_NOTICES] = "call notices",
        [PROBE_LANDLOCK] = "landlock",   [PROBE_USER] = "user namespace",
        [PROBE_MOUNT] = "mounts",        [PROBE_PID] = "pid namespace",
        [PROBE_PROC] = "fresh /proc",    [PROBE_NET] = "net namespace",
        [PROBE_OVERLAY] = "overlay",     [PROBE_PROCESSES] = "process limit",
        [PROBE_MEMORY] = "memory limit",
    };

    return names[layer];
}

static void set_probe_finding(struct probe_finding *f, bool good,
                              const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
set_probe_finding(struct probe_finding *f, bool good, const char *fmt, ...)
{
    va_list ap;

    f->good = good;
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof(f->text), fmt, ap);
    va_end(ap);
}

/* Reads a number from a file in /proc; -1 when it cannot be read. */
static long
read_proc_number(const char *path)
{
    CLEANUP(fd_close_p) int fd = open(path, O_RDONLY | O_CLOEXEC);
    char text[32] = "";

    if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
        return -1;
    return strtol(text, NULL, 10);
}

enum host_kind { HOST_MACHINE, HOST_CONTAINER, HOST_FILTERED };

/* Recognizes a container by the file of its runtime, or by a seccomp filter
 * around us, which every runtime installs; but a service may have one as
 * well. */
static enum host_kind
host_kind(void)
{
    if (access("/.dockerenv", F_OK) == 0 ||
        access("/run/.containerenv", F_OK) == 0)
        return HOST_CONTAINER;
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER
               ? HOST_FILTERED
               : HOST_MACHINE;
}

struct userns_cause {
    const char *path;
    long value;
    const char *cure;
};

#define CONTAINER_CURE                                                         \
    "start the container with --security-opt seccomp=unconfined, and "         \
    "Docker's also with --security-opt apparmor=unconfined --security-opt "    \
    "systempaths=unconfined, Podman's with --security-opt unmask=ALL"

/* Returns why user namespaces are refused, and how to allow them. */
static const char *
userns_cure(void)
{
    static const struct userns_cause causes[] = {
        {"/proc/sys/user/max_user_namespaces", 0,
         "root can allow them: sysctl user.max_user_namespaces=15000"},
        {"/proc/sys/kernel/unprivileged_userns_clone", 0,
         "root can allow them: sysctl kernel.unprivileged_userns_clone=1"},
        {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1,
         "AppArmor denies them to programs without a profile; root can allow "
         "them: sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(causes); i++) {
        if (read_proc_number(causes[i].path) == causes[i].value)
            return causes[i].cure;
    }
    switch (host_kind()) {
    case HOST_CONTAINER:
        return CONTAINER_CURE;
    case HOST_FILTERED:
        return CONTAINER_CURE "; a service of systemd without "
                              "RestrictNamespaces and SystemCallFilter";
    default:
        return "denied by a security module";
    }
}

/* Describes a layer that was tried, with one text if it exists and another if
 * it does not. */
static void
describe_layer(struct probe_finding *f, int sys, const char *there,
               const char *missing)
{
    if (sys == 0)
        set_probe_finding(f, true, "%s", there);
    else if (sys == UNTRIED)
        set_probe_finding(f, false,
                          "not tried: it needs a user namespace with mounts");
    else
        set_probe_finding(f, false, "%s (%s)", missing, err_system(sys));
}

static void
describe_user(struct probe_finding *out, const struct tries *t)
{
    static const char refused[] = "commands run reduced";

    if (t->user == 0)
        set_probe_finding(&out[PROBE_USER], true, "each command has its own");
    else
        set_probe_finding(&out[PROBE_USER], false, "%s: %s; for more: %s",
                          err_system(t->user), refused, userns_cure());
    if (t->user == 0 && t->mount > 0)
        set_probe_finding(&out[PROBE_MOUNT], false, "%s: %s; for more: %s",
                          err_system(t->mount), refused, userns_cure());
    else
        describe_layer(&out[PROBE_MOUNT], t->mount,
                       "all but the workspace is read-only, home is hidden",
                       refused);
}

void
probe_describe_machine(enum probe_machine m, struct probe_finding *out)
{
    static const char *const names[] = {
        [HOST_MACHINE] = "a machine that lets",
        [HOST_CONTAINER] = "a container that lets",
        [HOST_FILTERED] = "a container, or a service with a filter, that lets",
    };
    const char *what = names[host_kind()];

    switch (m) {
    case PROBE_WHOLE:
        set_probe_finding(out, true,
                          "each command can have namespaces of its own");
        break;
    case PROBE_REDUCED:
        set_probe_finding(
            out, false,
            "This is %s nobody make namespaces: commands run reduced, kept by "
            "Landlock and seccomp alone, and those that write are asked about. "
            "For all walls: %s.",
            what, userns_cure());
        break;
    case PROBE_OPEN:
        set_probe_finding(
            out, false,
            "This is %s nobody make namespaces and has no Landlock: each step "
            "is asked about as full, and no tool is called. For more: a kernel "
            "with Landlock, or: %s.",
            what, userns_cure());
        break;
    }
}

static void
describe_namespaces(struct probe_finding *out, const struct tries *t)
{
    describe_user(out, t);
    describe_layer(&out[PROBE_PID], t->pid,
                   "a command can see and kill only its own processes",
                   "commands are refused");
    describe_layer(
        &out[PROBE_PROC], t->proc, "/proc shows only those processes",
        "commands run reduced: something hides a part of /proc, as a "
        "container does (Docker: --security-opt systempaths=unconfined, "
        "Podman: --security-opt unmask=ALL)");
    describe_layer(&out[PROBE_NET], t->net,
                   "steps without a network have their own",
                   "only the filter blocks the network");
    if (t->overlay == UNTRIED)
        set_probe_finding(&out[PROBE_OVERLAY], false,
                          "previews work on a copy");
    else
        describe_layer(&out[PROBE_OVERLAY], t->overlay, "preview works",
                       "previews work on a copy");
}

static void
describe_seccomp(struct probe_finding *out)
{
    struct seccomp_notif_sizes sizes;

    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)
        set_probe_finding(
            &out[PROBE_SECCOMP], true,
            "system calls of commands, tools and the model process are "
            "filtered");
    else
        set_probe_finding(&out[PROBE_SECCOMP], false,
                          "not supported by this kernel: no command will run");
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0)
        set_probe_finding(&out[PROBE_NOTICES], true,
                          "blocked system calls can be named");
    else
        set_probe_finding(&out[PROBE_NOTICES], false,
                          "blocked system calls cannot be named (%s)",
                          err_system(errno));
}

static void
describe_landlock(struct probe_finding *f, bool mounts)
{
    int abi = confine_landlock_abi();

    if (abi >= ABI_TRUNCATE && !mounts)
        set_probe_finding(f, true, "ABI %d: the wall around files%s", abi,
                          abi >= ABI_WHOLE ? ", signals and abstract sockets"
                                           : "; no signal can be sent at all");
    else if (abi >= ABI_WHOLE)
        set_probe_finding(
            f, true,
            "ABI %d: a second layer for files, signals and abstract sockets",
            abi);
    else if (abi >= ABI_TRUNCATE)
        set_probe_finding(
            f, true,
            "ABI %d: a second layer for files (Linux 6.12 adds signals and "
            "abstract sockets, which the pid namespace and the filter block "
            "here)",
            abi);
    else if (mounts)
        set_probe_finding(
            f, false,
            "%s: only mounts protect files, and named pipes not at all; a "
            "newer kernel adds a second layer",
            abi == 0 ? "off, or not in this kernel" : "ABI below 3");
    else
        set_probe_finding(
            f, false,
            "%s, and there are no mounts either: each step is asked about as "
            "full",
            abi == 0 ? "off, or not in this kernel" : "ABI below 3");
}

/* Returns whether a cgroup with the memory controller is delegated to us. */
static bool
has_memory_cgroup(void)
{
    char line[512] = "", path[600], controllers[256] = "";
    CLEANUP(fd_close_p)
    int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    CLEANUP(fd_close_p) int list = -1;
    const char *own;

    if (fd < 0 || read(fd, line, sizeof(line) - 1) <= 0)
        return false;
    own = strstr(line, "0::/");
    if (!own)
        return false;
    own += 3;
    snprintf(path, sizeof(path), "/sys/fs/cgroup%.*s/cgroup.subtree_control",
             (int)strcspn(own, "\n"), own);
    if (access(path, W_OK) < 0)
        return false;
    snprintf(path, sizeof(path), "/sys/fs/cgroup%.*s/cgroup.controllers",
             (int)strcspn(own, "\n"), own);
    list = open(path, O_RDONLY | O_CLOEXEC);
    return list >= 0 && read(list, controllers, sizeof(controllers) - 1) > 0 &&
           strstr(controllers, "memory");
}

static void
describe_limits(struct probe_finding *out, const struct tries *t)
{
    bool root = geteuid() == 0;

    if (!root)
        set_probe_finding(&out[PROBE_PROCESSES], true, "by RLIMIT_NPROC");
    else if (t->pid_max == 0)
        set_probe_finding(
            &out[PROBE_PROCESSES], true,
            "by pid_max of the pid namespace, since RLIMIT_NPROC does not "
            "apply to root");
    else
        set_probe_finding(
            &out[PROBE_PROCESSES], false,
            "none: RLIMIT_NPROC does not apply to root, and a pid_max for each "
            "namespace needs Linux 6.14; use agentsh as a normal user");
    set_probe_finding(
        &out[PROBE_MEMORY], true,
        "by RLIMIT_DATA for each process; out of memory cap for all of them "
        "together%s",
        has_memory_cgroup() ? "" : ", since no cgroup is delegated to you");
}

int
probe_all(struct probe_finding out[PROBE_N], struct err *e)
{
    struct tries t = {0};

    if (try_layers(&t, e) < 0)
        return -1;
    describe_seccomp(out);
    describe_landlock(&out[PROBE_LANDLOCK], t.mount == 0);
    describe_namespaces(out, &t);
    describe_limits(out, &t);
    return 0;
}
