/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fd.c - file descriptors: flags, pipes, locks, complete writes. */
#include "base/fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define LOCK_AGAIN_MS 5 /* between two attempts to lock */

int
fd_fill_standard(struct err *e)
{
    for (;;) {
        int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            return err_sys(e, "/dev/null");
        if (fd > STDERR_FILENO)
            return close(fd);
        if (fd_set_cloexec(fd, false, e) < 0)
            return -1;
    }
}

int
fd_set_nonblock(int fd, bool on, struct err *e)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags >= 0)
        flags = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
    if (flags < 0 || fcntl(fd, F_SETFL, flags) < 0)
        return err_sys(e, "descriptor %d", fd);
    return 0;
}

int
fd_set_cloexec(int fd, bool on, struct err *e)
{
    if (fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0) < 0)
        return err_sys(e, "descriptor %d", fd);
    return 0;
}

int
fd_pipe(int fds[2], struct err *e)
{
    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_sys(e, "pipe");
    return 0;
}

/* Waits until fd is writable; `until` is a time of clock_ms, or negative: no
 * limit. */
static int
wait_writable(int fd, int64_t until, struct err *e)
{
    struct pollfd pfd = {.fd = fd, .events = POLLOUT};
    int64_t left = until < 0 ? -1 : until - clock_ms();
    int rc;

    if (until >= 0 && left <= 0)
        return err_set(e, ERR_TIMEOUT, "write: the reader is too slow");
    rc = poll(&pfd, 1, (int)left);
    if (rc < 0 && errno != EINTR)
        return err_sys(e, "poll");
    return 0;
}

int
fd_write_all(int fd, const void *bytes, size_t n, int timeout_ms, struct err *e)
{
    int64_t until = timeout_ms < 0 ? -1 : clock_ms() + timeout_ms;
    const char *p = bytes;

    while (n > 0) {
        ssize_t k = write(fd, p, n);
        int sys = k < 0 ? errno : 0;

        if (k >= 0) {
            p += k;
            n -= (size_t)k;
            continue;
        }
        if (sys == EAGAIN && wait_writable(fd, until, e) < 0)
            return -1;
        if (sys == EPIPE)
            return err_set(e, ERR_PEER, "write: the reader has closed its end");
        if (sys != EAGAIN && sys != EINTR)
            return err_sys(e, "write");
    }
    return 0;
}

int
fd_lock(int fd, int timeout_ms, struct err *e)
{
    int64_t until = clock_ms() + timeout_ms;

    while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return err_sys(e, "lock");
        if (clock_ms() >= until)
            return err_set(e, ERR_TIMEOUT, "locked by another process");
        (void)poll(NULL, 0, LOCK_AGAIN_MS);
    }
    return 0;
}

static bool
are_one_terminal(int a, int b)
{
    unsigned device_a, device_b;

    return ioctl(a, TIOCGDEV, &device_a) == 0 &&
           ioctl(b, TIOCGDEV, &device_b) == 0 && device_a == device_b;
}

/* A child can open a descriptor again by its name in /proc, with other rights:
 * a descriptor of the terminal's device could then be opened for writing. One
 * of /dev/tty cannot: it names the controlling terminal of the process that
 * opens it, and the child has none. */
int
fd_read_terminal(int *out, bool *again, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    *again = false;
    *out = -1;
    if (!isatty(STDIN_FILENO))
        return 0;
    fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || !are_one_terminal(fd, STDIN_FILENO)) {
        fd_close_p(&fd);
        fd = open("/proc/self/fd/0", O_RDONLY | O_NOCTTY | O_CLOEXEC);
        *again = true;
    }
    if (fd < 0)
        return err_set(
            e, ERR_SANDBOX,
            "standard input is a terminal of another user's session, and the "
            "command could write to it; redirect standard input (</dev/null)");
    *out = TAKE_FD(fd);
    return 0;
}

int
fd_set_input(int fd, struct err *e)
{
    return dup2(fd, STDIN_FILENO) < 0 ? err_sys(e, "standard input") : 0;
}

int
fd_set_output(int which, int fd, struct err *e)
{
    return dup2(fd, which) < 0 ? err_sys(e, "descriptor %d", which) : 0;
}

int
fd_move(int *fd, int to, struct err *e)
{
    if (*fd != to && dup3(*fd, to, O_CLOEXEC) < 0)
        return err_sys(e, "descriptor %d", to);
    if (*fd != to)
        fd_close_p(fd);
    *fd = -1;
    return fd_set_cloexec(to, true, e);
}
