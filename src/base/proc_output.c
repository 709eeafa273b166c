/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc_output.c - a child run to its end for what it writes. */
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/proc.h"

/* The signals that end us, while we wait: blocked and left pending, so that
 * they do afterwards what they would have done. */
struct held {
    int fd; /* readable when one has come */
    sigset_t before;
};

static void
held_done(struct held *h)
{
    if (h->fd < 0)
        return;
    sigprocmask(SIG_SETMASK, &h->before, NULL);
    fd_close_p(&h->fd);
}

static int
hold(struct held *h, struct err *e)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
        struct sigaction sa;

        /* one that is ignored would be pending all the same */
        if (sigaction(ending[i], NULL, &sa) == 0 && sa.sa_handler != SIG_IGN)
            sigaddset(&set, ending[i]);
    }
    h->fd = signalfd(-1, &set, SFD_CLOEXEC);
    if (h->fd < 0)
        return err_sys(e, "signals");
    sigprocmask(SIG_BLOCK, &set, &h->before);
    return 0;
}

/* Until fd is readable. */
static int
await(int fd, const struct held *h, int64_t until, struct err *e)
{
    struct pollfd pfd[] = {{.fd = h->fd, .events = POLLIN},
                           {.fd = fd, .events = POLLIN}};
    int rc;

    do {
        int64_t left = until - clock_ms();

        rc = left <= 0 ? 0 : poll(pfd, 2, (int)left);
    } while (rc < 0 && errno == EINTR);
    if (rc < 0)
        return err_sys(e, "poll");
    if (rc == 0)
        return err_set(e, ERR_TIMEOUT, "it takes too long");
    if (pfd[0].revents)
        return err_set(e, ERR_INTERRUPTED, "interrupted");
    return 0;
}

/* Collects standard output until its end or the deadline. */
static int
collect(int fd, const struct held *h, int64_t until, struct buf *out,
        struct err *e)
{
    for (;;) {
        char bytes[4096];
        ssize_t n;

        if (await(fd, h, until, e) < 0)
            return -1;
        n = read(fd, bytes, sizeof(bytes));
        if (n < 0 && errno != EINTR)
            return err_sys(e, "read");
        if (n == 0)
            return 0;
        if (n > 0)
            buf_add(out, bytes, (size_t)n);
        if (buf_ok(out, "its output", e) < 0)
            return -1;
    }
}

int
proc_output(const struct proc_spec *spec, int timeout_ms, struct buf *out,
            int *status, struct err *e)
{
    struct proc_spec piped = *spec;
    int64_t until = clock_ms() + timeout_ms;
    CLEANUP(held_done) struct held held = {.fd = -1};
    CLEANUP(proc_free_p) struct proc *p = NULL; /* ends before held does */

    piped.fds[1] = PROC_PIPE;
    if (hold(&held, e) < 0 || !(p = proc_start(&piped, e)))
        return -1;
    if (collect(proc_fd(p, 1), &held, until, out, e) < 0 ||
        await(proc_pidfd(p), &held, until, e) < 0)
        return err_wrap(e, "%s", spec->argv[0]);
    proc_spare(p);
    return proc_wait(p, -1, status, e);
}
