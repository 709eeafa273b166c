/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supervise.c - the launcher while its child runs. */
#include "sandbox/launch/supervise.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"
#include "sandbox/launch/reaper.h"
#include "sandbox/launch/terminal.h"

#define RUNNING (-1) /* there is no exit status yet */

void
supervise_signals(sigset_t *out)
{
    static const int awaited[] = {SIGCHLD,          SIGTERM, SIGHUP,
                                  SIGINT,           SIGQUIT, SIGCONT,
                                  SIGTTOU,          SIGTSTP, REAPER_FOREGROUND,
                                  REAPER_BACKGROUND};

    sigemptyset(out);
    for (size_t i = 0; i < sizeof(awaited) / sizeof(*awaited); i++)
        sigaddset(out, awaited[i]);
}

static bool
has_reaper(const struct supervise *s)
{
    return (s->in->namespaces & CLONE_NEWPID) != 0;
}

/* Back from the program, unless somebody else has it meanwhile. */
static void
take_terminal(struct supervise *s)
{
    if (s->gave_terminal)
        terminal_give(s->in->tty, getpgrp());
    s->gave_terminal = false;
}

/* The program was stopped: so are we, and whoever waits for us sees it. When
 * we go on, so does it; in the foreground where we were put there. */
static void
stop(struct supervise *s)
{
    if (s->in->tty < 0)
        return;
    take_terminal(s);
    (void)kill(getpid(), SIGSTOP);
    s->gave_terminal = terminal_is_ours(s->in->tty);
    if (has_reaper(s)) {
        (void)kill(s->child,
                   s->gave_terminal ? REAPER_FOREGROUND : REAPER_BACKGROUND);
        return;
    }
    if (s->gave_terminal)
        terminal_give(s->in->tty, s->child);
    (void)kill(-s->child, SIGCONT);
}

/* Told to stop without a terminal to do it: everything inside stops, then we
 * do. When we go on, so does it. */
static void
hold(struct supervise *s)
{
    if (s->in->tty < 0)
        (void)kill(has_reaper(s) ? s->child : -s->child,
                   has_reaper(s) ? SIGTSTP : SIGSTOP);
    (void)kill(getpid(), SIGSTOP);
    if (s->in->tty < 0)
        (void)kill(has_reaper(s) ? s->child : -s->child,
                   has_reaper(s) ? REAPER_BACKGROUND : SIGCONT);
}

/* From the child: the listener of its filter, that the program stopped, or
 * that all is over and with which status. */
static int
hear(struct supervise *s)
{
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec io = {&byte, 1};
    struct msghdr msg = {
        .msg_iov = &io,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    const struct cmsghdr *c;

    if (recvmsg(s->line, &msg, MSG_CMSG_CLOEXEC) != 1) {
        s->line = -1;
        return RUNNING;
    }
    c = CMSG_FIRSTHDR(&msg);
    if (c && c->cmsg_type == SCM_RIGHTS && s->notify.listener < 0)
        memcpy(&s->notify.listener, CMSG_DATA(c), sizeof(int));
    else if (byte == REAPER_OVER && recv(s->line, &byte, 1, 0) == 1)
        s->over = true;
    else
        stop(s);
    return s->over ? (unsigned char)byte : RUNNING;
}

static int
reap(struct supervise *s)
{
    int status = RUNNING, st;
    pid_t pid;

    while ((pid = waitpid(-1, &st, WNOHANG | WUNTRACED)) > 0) {
        if (pid != s->child)
            continue;
        if (WIFSTOPPED(st)) {
            stop(s);
            continue;
        }
        s->ended = true;
        status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
    }
    return status;
}

/* Ctrl-C and Ctrl-\ are for who is in the foreground. */
static bool
is_the_programs(const struct supervise *s, const struct signalfd_siginfo *si)
{
    return si->ssi_code == SI_KERNEL && s->in->tty >= 0 &&
           !terminal_is_ours(s->in->tty) &&
           (si->ssi_signo == SIGINT || si->ssi_signo == SIGQUIT);
}

static int
take_signal(struct supervise *s)
{
    struct signalfd_siginfo si;

    if (read(s->signals, &si, sizeof(si)) != sizeof(si))
        return RUNNING;
    switch (si.ssi_signo) {
    case SIGCHLD:
        return reap(s);
    case SIGTSTP:
        hold(s);
        return RUNNING;
    case SIGTERM:
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
        return is_the_programs(s, &si) ? RUNNING : 128 + (int)si.ssi_signo;
    default:
        return RUNNING;
    }
}

static int
time_left(const struct supervise *s)
{
    int64_t left = s->until - clock_ms();

    if (s->until < 0)
        return -1;
    return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* One event. */
static int
turn(struct supervise *s)
{
    struct pollfd fds[] = {
        {.fd = s->signals, .events = POLLIN},
        {.fd = s->line, .events = POLLIN},
        {.fd = s->notify.listener, .events = POLLIN},
    };
    int left = time_left(s), status = RUNNING;

    if (left == 0)
        return inside_complain("timed out", EXIT_LIMIT);
    if (poll(fds, sizeof(fds) / sizeof(*fds), left) < 0)
        return RUNNING;
    if (fds[1].revents)
        status = hear(s);
    if (fds[2].revents &&
        (!(fds[2].revents & POLLIN) || !notify_answer(&s->notify))) {
        close(s->notify.listener);
        s->notify.listener = -1;
    }
    if (status == RUNNING && fds[0].revents)
        status = take_signal(s);
    return status;
}

/* The kernel ends a pid namespace with its first process; when that says that
 * it is over, it is the last, and goes by itself. */
static void
end_all(const struct supervise *s)
{
    if (s->over)
        return;
    if (has_reaper(s)) {
        (void)kill(s->child, SIGKILL);
        while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR)
            ;
        return;
    }
    if (!s->ended || !s->in->spec || !s->in->spec->leave)
        children_end(NULL, 0);
}

int
supervise_run(struct supervise *s)
{
    int status = RUNNING;

    s->gave_terminal = s->in->foreground;
    while (status == RUNNING)
        status = turn(s);
    end_all(s);
    take_terminal(s);
    return status;
}
