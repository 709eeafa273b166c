/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.c - refused calls, told to somebody outside. */
#include "sandbox/launch/notify.h"

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
#define ROOM      256  /* a later kernel's structures may be larger */
#define LINE_ROOM 4200 /* a path and a few words */

union request {
    struct seccomp_notif r;
    char room[ROOM];
};

void
notify_say(int report, const char *what, const char *detail)
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

/* The C library asks for a cache of names by a Unix socket, and goes on
 * without one: that is nobody's reason to fail. */
static bool
is_of_course(const struct seccomp_data *d)
{
    return d->nr == SYS_socket && (int)d->args[0] == AF_UNIX;
}

static void
tell_once(struct notify *n, int nr)
{
    const char *name = confine_call_name(nr);
    unsigned at = (unsigned)nr % NOTIFY_CALLS;

    if (!name || (n->told[at / 64] >> at % 64 & 1))
        return;
    n->told[at / 64] |= 1ull << at % 64;
    notify_say(n->report, "blocked", name);
}

/* Which argument of the call names the file that it would open; -1: none. */
static int
path_argument(const struct seccomp_data *d)
{
#ifdef SYS_open
    if (d->nr == SYS_open)
        return 0;
#endif
    return d->nr == SYS_openat ? 1 : -1;
}

/* Whether the file that it would open had this name when we looked. */
static bool
opens(const struct seccomp_notif *r, const char *name, size_t size)
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

/* Puts a /dev/null of ours in the place of the descriptor asked for, whatever
 * the name has become meanwhile. */
static bool
give_nowhere(const struct notify *n, const struct seccomp_notif *r)
{
    struct seccomp_notif_addfd add = {
        .id = r->id,
        .flags = SECCOMP_ADDFD_FLAG_SEND,
    };
    CLEANUP(fd_close_p) int fd = -1;

    if (!opens(r, NOWHERE, sizeof(NOWHERE)))
        return false;
    add.newfd_flags = (uint32_t)r->data.args[path_argument(&r->data) + 1] &
                      O_CLOEXEC;
    fd = open(NOWHERE, O_RDWR | O_CLOEXEC);
    add.srcfd = (uint32_t)fd;
    return fd >= 0 && ioctl(n->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0;
}

bool
notify_answer(struct notify *n)
{
    union request req = {0};
    struct seccomp_notif_resp no = {.error = -EPERM};
    bool quiet;

    if (ioctl(n->listener, SECCOMP_IOCTL_NOTIF_RECV, &req) < 0)
        return errno == EINTR || errno == ENOENT; /* it was killed */
    if (give_nowhere(n, &req.r))
        return true;
    no.id = req.r.id;
    quiet = is_of_course(&req.r.data);
    if (opens(&req.r, TERMINAL, sizeof(TERMINAL))) {
        no.error = -ENXIO; /* as where there is none: bash asks at its start */
        quiet = true;
    }
    (void)ioctl(n->listener, SECCOMP_IOCTL_NOTIF_SEND, &no);
    if (!quiet)
        tell_once(n, req.r.data.nr);
    return true;
}
