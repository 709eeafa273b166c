/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c - which layers of the sandbox this machine gives us, and why not. */
#include "sandbox/probe.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/confine.h"
#include "sandbox/probe_try.h"

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

static void say(struct probe_finding *f, bool good, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
say(struct probe_finding *f, bool good, const char *fmt, ...)
{
    va_list ap;

    f->good = good;
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof(f->text), fmt, ap);
    va_end(ap);
}

/* The number in a file of the kernel's; -1 when it cannot be read. */
static long
read_number(const char *path)
{
    CLEANUP(fd_close_p) int fd = open(path, O_RDONLY | O_CLOEXEC);
    char text[32] = "";

    if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
        return -1;
    return strtol(text, NULL, 10);
}

enum host_kind { HOST_MACHINE, HOST_CONTAINER, HOST_FILTERED };

/* A container has a file that says so, or only a filter around us, as each
 * runtime puts it there; but a service may have one as well. */
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

/* Why user namespaces are refused, and what lifts that. */
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

    for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++) {
        if (read_number(causes[i].path) == causes[i].value)
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

/* A layer that was tried; what is told when it is there, and when not. */
static void
judge(struct probe_finding *f, int sys, const char *there, const char *missing)
{
    if (sys == 0)
        say(f, true, "%s", there);
    else if (sys == PROBE_UNTRIED)
        say(f, false, "not tried: it needs a user namespace with mounts");
    else
        say(f, false, "%s (%s)", missing, strerror(sys));
}

static void
judge_user(struct probe_finding *out, const struct probe_tries *t)
{
    static const char refused[] = "commands run reduced";

    if (t->user == 0)
        say(&out[PROBE_USER], true, "each command has its own");
    else
        say(&out[PROBE_USER], false, "%s: %s; for more: %s", strerror(t->user),
            refused, userns_cure());
    if (t->user == 0 && t->mount > 0)
        say(&out[PROBE_MOUNT], false, "%s: %s; for more: %s",
            strerror(t->mount), refused, userns_cure());
    else
        judge(&out[PROBE_MOUNT], t->mount,
              "all but the workspace is read-only, home is hidden", refused);
}

void
probe_say_machine(enum probe_machine m, struct probe_finding *out)
{
    static const char *const names[] = {
        [HOST_MACHINE] = "a machine that lets",
        [HOST_CONTAINER] = "a container that lets",
        [HOST_FILTERED] = "a container, or a service with a filter, that lets",
    };
    const char *what = names[host_kind()];

    switch (m) {
    case PROBE_WHOLE:
        say(out, true, "each command can have namespaces of its own");
        break;
    case PROBE_REDUCED:
        say(out, false,
            "This is %s nobody make namespaces: commands run reduced, kept by "
            "Landlock and seccomp alone, and those that write are asked about. "
            "For all walls: %s.",
            what, userns_cure());
        break;
    case PROBE_OPEN:
        say(out, false,
            "This is %s nobody make namespaces and has no Landlock: each step "
            "is asked about as full, and no tool is called. For more: a kernel "
            "with Landlock, or: %s.",
            what, userns_cure());
        break;
    }
}

static void
judge_spaces(struct probe_finding *out, const struct probe_tries *t)
{
    judge_user(out, t);
    judge(&out[PROBE_PID], t->pid,
          "a command can see and kill only its own processes",
          "commands are refused");
    judge(&out[PROBE_PROC], t->proc, "/proc shows only those processes",
          "commands run reduced: something hides a part of /proc, as a "
          "container does (Docker: --security-opt systempaths=unconfined, "
          "Podman: --security-opt unmask=ALL)");
    judge(&out[PROBE_NET], t->net, "steps without a network have their own",
          "only the filter blocks the network");
    if (t->overlay == PROBE_UNTRIED)
        say(&out[PROBE_OVERLAY], false, "previews work on a copy");
    else
        judge(&out[PROBE_OVERLAY], t->overlay, "preview works",
              "previews work on a copy");
}

static void
judge_seccomp(struct probe_finding *out)
{
    struct seccomp_notif_sizes sizes;

    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)
        say(&out[PROBE_SECCOMP], true,
            "system calls of commands, tools and the model process are "
            "filtered");
    else
        say(&out[PROBE_SECCOMP], false,
            "not supported by this kernel: no command will run");
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0)
        say(&out[PROBE_NOTICES], true, "blocked system calls can be named");
    else
        say(&out[PROBE_NOTICES], false,
            "blocked system calls cannot be named (%s)", strerror(errno));
}

static void
judge_landlock(struct probe_finding *f, bool mounts)
{
    int abi = confine_landlock_abi();

    if (abi >= ABI_TRUNCATE && !mounts)
        say(f, true, "ABI %d: the wall around files%s", abi,
            abi >= ABI_WHOLE ? ", signals and abstract sockets"
                             : "; no signal can be sent at all");
    else if (abi >= ABI_WHOLE)
        say(f, true,
            "ABI %d: a second layer for files, signals and abstract sockets",
            abi);
    else if (abi >= ABI_TRUNCATE)
        say(f, true,
            "ABI %d: a second layer for files (Linux 6.12 adds signals and "
            "abstract sockets, which the pid namespace and the filter block "
            "here)",
            abi);
    else if (mounts)
        say(f, false,
            "%s: only mounts protect files; a newer kernel adds a second layer",
            abi == 0 ? "off, or not in this kernel" : "ABI below 3");
    else
        say(f, false,
            "%s, and there are no mounts either: each step is asked about as "
            "full",
            abi == 0 ? "off, or not in this kernel" : "ABI below 3");
}

/* Whether a cgroup of ours may be given to us to divide, with the memory
 * controller in it. */
static bool
memory_cgroup(void)
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
judge_amounts(struct probe_finding *out, const struct probe_tries *t)
{
    bool root = geteuid() == 0;

    if (!root)
        say(&out[PROBE_PROCESSES], true, "by RLIMIT_NPROC");
    else if (t->pid_max == 0)
        say(&out[PROBE_PROCESSES], true,
            "by pid_max of the pid namespace, since RLIMIT_NPROC does not "
            "apply to root");
    else
        say(&out[PROBE_PROCESSES], false,
            "none: RLIMIT_NPROC does not apply to root, and a pid_max for each "
            "namespace needs Linux 6.14; use agentsh as a normal user");
    say(&out[PROBE_MEMORY], true,
        "by RLIMIT_DATA for each process; out of memory cap for all of them "
        "together%s",
        memory_cgroup() ? "" : ", since no cgroup is delegated to you");
}

int
probe_all(struct probe_finding out[PROBE_N], struct err *e)
{
    struct probe_tries t;

    if (probe_try(&t, e) < 0)
        return -1;
    judge_seccomp(out);
    judge_landlock(&out[PROBE_LANDLOCK], t.mount == 0);
    judge_spaces(out, &t);
    judge_amounts(out, &t);
    return 0;
}
