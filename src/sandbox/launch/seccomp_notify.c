/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seccomp_notify.c - answers and reports the system calls that a filter
 * refuses. */
#include "sandbox/launch/seccomp_notify.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/confine.h"

#define NOWHERE   "/dev/null"
#define TERMINAL  "/dev/tty"
#define ROOM      256  /* the structures of later kernels may be larger */
#define LINE_ROOM 4200 /* a path and a few words */

union request {
    struct seccomp_notif r;
    char room[ROOM];
};

void
seccomp_notify_write_line(int report, const char *what, const char *detail)
{
    char line[LINE_ROOM];
    size_t n;

    if (report < 0)
        return;
    n = (size_t)snprintf(line, sizeof(line), "%s %s", what, detail);
    if (n > sizeof(line) - 2)
        n = sizeof(line) - 2;
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = '?';
    }
    line[n++] = '\n';
    (void)!write(report, line, n);
}

/* Returns whether a refused call is harmless: the C library tries to reach nscd
 * over a Unix socket, and goes on without. */
static bool
is_harmless(const struct seccomp_data *d)
{
    return d->nr == SYS_socket && (int)d->args[0] == AF_UNIX;
}

static void
report_once(struct seccomp_notify *n, int nr)
{
    const char *name = confine_call_name(nr);
    unsigned at = (unsigned)nr % SECCOMP_NOTIFY_CALLS;

    if (!name || (n->reported[at / 64] >> at % 64 & 1))
        return;
    n->reported[at / 64] |= 1ull << at % 64;
    seccomp_notify_write_line(n->report, "blocked", name);
}

/* Returns which argument of the call is the path that it opens; -1: none. */
static int
path_argument(const struct seccomp_data *d)
{
#ifdef SYS_open
    if (d->nr == SYS_open)
        return 0;
#endif
    return d->nr == SYS_openat ? 1 : -1;
}

/* Returns whether the path that it opens was this one when we read it. */
static bool
opens_path(const struct seccomp_notif *r, const char *name, size_t size)
{
    int at = path_argument(&r->data);
    char path[32], text[16] = "";
    CLEANUP(fd_close_p) int fd = -1;

    if (at < 0 || size > sizeof(text))
        return false;
    snprintf(path, sizeof(path), "/proc/%u/mem", r->pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 &&
           pread(fd, text, size, (off_t)r->data.args[at]) == (ssize_t)size &&
           memcmp(text, name, size) == 0;
}

/* Answers with a descriptor of our own /dev/null, whatever the path has become
 * since. */
static bool
answer_with_null(const struct seccomp_notify *n, const struct seccomp_notif *r)
{
    struct seccomp_notif_addfd add = {
        .id = r->id,
        .flags = SECCOMP_ADDFD_FLAG_SEND,
    };
    CLEANUP(fd_close_p) int fd = -1;

    if (!opens_path(r, NOWHERE, sizeof(NOWHERE)))
        return false;
    add.newfd_flags = (uint32_t)r->data.args[path_argument(&r->data) + 1] &
                      O_CLOEXEC;
    fd = open(NOWHERE, O_RDWR | O_CLOEXEC);
    add.srcfd = (uint32_t)fd;
    return fd >= 0 && ioctl(n->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0;
}

bool
seccomp_notify_answer(struct seccomp_notify *n)
{
    union request req = {0};
    struct seccomp_notif_resp no = {.error = -EPERM};
    bool quiet;

    if (ioctl(n->listener, SECCOMP_IOCTL_NOTIF_RECV, &req) < 0)
        return errno == EINTR || errno == ENOENT; /* the caller was killed */
    if (answer_with_null(n, &req.r))
        return true;
    no.id = req.r.id;
    quiet = is_harmless(&req.r.data);
    if (opens_path(&req.r, TERMINAL, sizeof(TERMINAL))) {
        no.error =
            -ENXIO; /* as on a machine without one: bash asks at its start */
        quiet = true;
    }
    (void)ioctl(n->listener, SECCOMP_IOCTL_NOTIF_SEND, &no);
    if (!quiet)
        report_once(n, req.r.data.nr);
    return true;
}
