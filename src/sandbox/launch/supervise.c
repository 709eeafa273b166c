/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supervise.c - waits for the child, forwards signals and enforces the time
 * limit. */
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

#include "base/array.h"
#include "base/children.h"
#include "base/clock.h"
#include "base/terminal_keeper.h"
#include "sandbox/launch/child.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/streams.h"

#define RUNNING (-1) /* no exit status yet */

/* SIGPIPE is blocked with the others and forwarded to nobody: a reader of our
 * messages that has left must not end us before everything is put back. */
void
supervise_signals(sigset_t *out)
{
    static const int awaited[] = {SIGCHLD,
                                  SIGPIPE,
                                  SIGTERM,
                                  SIGHUP,
                                  SIGINT,
                                  SIGQUIT,
                                  SIGCONT,
                                  SIGTTOU,
                                  SIGTSTP,
                                  CHILD_INIT_FOREGROUND,
                                  CHILD_INIT_BACKGROUND};

    sigemptyset(out);
    for (size_t i = 0; i < ARRAY_SIZE(awaited); i++)
        sigaddset(out, awaited[i]);
    sigaddset(out, LAUNCH_PASS);
}

static bool
has_reaper(const struct supervise *s)
{
    return (s->conf->namespaces & CLONE_NEWPID) != 0;
}

/* Makes our group the foreground group again. Where the front is gone, its own
 * group gets the terminal back, if it is still there, as in a script; a shell
 * that waited for the front has taken it already. */
static void
reclaim_terminal(struct supervise *s)
{
    bool alone = getppid() != s->conf->front;

    if (s->gave_terminal)
        streams_set_foreground(s->conf->tty,
                               alone ? s->conf->front_group : getpgrp());
    s->gave_terminal = false;
}

/* Whether a signal waits that is to end us, as at the death of the front: if we
 * stopped before it is read nobody would let us go on. */
static bool
is_to_end(void)
{
    sigset_t waiting;

    return sigpending(&waiting) == 0 && (sigismember(&waiting, SIGTERM) == 1 ||
                                         sigismember(&waiting, SIGHUP) == 1);
}

/* The program was stopped: stops us too, so that our parent sees it. When we go
 * on, the program does, in the foreground if we are. */
static void
stop_with_program(struct supervise *s)
{
    if (s->conf->tty < 0 || is_to_end())
        return;
    reclaim_terminal(s);
    (void)kill(getpid(), SIGSTOP);
    s->gave_terminal = streams_is_foreground(s->conf->tty);
    if (has_reaper(s)) {
        (void)kill(s->child, s->gave_terminal ? CHILD_INIT_FOREGROUND
                                              : CHILD_INIT_BACKGROUND);
        return;
    }
    if (s->gave_terminal)
        streams_set_foreground(s->conf->tty, s->child);
    (void)kill(-s->child, SIGCONT);
}

/* Handles SIGTSTP where there is no terminal: stops everything in the sandbox,
 * then us. When we go on, it does. */
static void
stop_sandbox(struct supervise *s)
{
    if (is_to_end())
        return;
    if (s->conf->tty < 0)
        (void)kill(has_reaper(s) ? s->child : -s->child,
                   has_reaper(s) ? SIGTSTP : SIGSTOP);
    (void)kill(getpid(), SIGSTOP);
    if (s->conf->tty < 0)
        (void)kill(has_reaper(s) ? s->child : -s->child,
                   has_reaper(s) ? CHILD_INIT_BACKGROUND : SIGCONT);
}

/* Sends the program's process group a signal. */
static void
pass_signal(const struct supervise *s, int signo)
{
    if (signo <= 0 || signo > SIGRTMAX || s->ended)
        return;
    if (has_reaper(s))
        (void)sigqueue(s->child, LAUNCH_PASS,
                       (union sigval){.sival_int = signo});
    else if (kill(-s->child, signo) < 0)
        (void)kill(s->child, signo); /* it leads no group yet */
}

/* Receives how everything has ended. Returns the exit status. */
static int
receive_end(struct supervise *s)
{
    unsigned char end[2];

    if (recv(s->channel, end, sizeof(end), MSG_WAITALL) != sizeof(end))
        return RUNNING;
    s->over = true;
    s->killed_by = end[1];
    return end[0];
}

/* Receives from the child: its seccomp listener, that the program was stopped,
 * or that everything has ended and with which status. */
static int
receive_from_child(struct supervise *s)
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

    if (recvmsg(s->channel, &msg, MSG_CMSG_CLOEXEC) != 1) {
        s->channel = -1;
        return RUNNING;
    }
    c = CMSG_FIRSTHDR(&msg);
    if (c && c->cmsg_type == SCM_RIGHTS && s->notify.listener < 0)
        memcpy(&s->notify.listener, CMSG_DATA(c), sizeof(int));
    else if (byte == CHILD_INIT_OVER)
        return receive_end(s);
    else
        stop_with_program(s);
    return RUNNING;
}

static int
reap_for_supervisor(struct supervise *s)
{
    int status = RUNNING, st;
    pid_t pid;

    while ((pid = waitpid(-1, &st, WNOHANG | WUNTRACED)) > 0) {
        if (pid != s->child)
            continue;
        if (WIFSTOPPED(st)) {
            stop_with_program(s);
            continue;
        }
        s->ended = true;
        s->killed_by = WIFSIGNALED(st) ? WTERMSIG(st) : 0;
        status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
    }
    return status;
}

/* Returns whether a signal of Ctrl-C or Ctrl-\ is for the program, which is in
 * the foreground. */
static bool
is_for_program(const struct supervise *s, const struct signalfd_siginfo *si)
{
    return si->ssi_code == SI_KERNEL && s->conf->tty >= 0 &&
           !streams_is_foreground(s->conf->tty) &&
           (si->ssi_signo == SIGINT || si->ssi_signo == SIGQUIT);
}

/* The front was killed: a shell that waited for it reads the terminal's modes
 * at this moment, so they come first. */
static void
put_modes_back(const struct supervise *s)
{
    if (s->conf->has_modes && getppid() != s->conf->front)
        terminal_keeper_end(s->conf->tty, &s->conf->modes);
}

static int
handle_signal(struct supervise *s)
{
    struct signalfd_siginfo si;

    if (read(s->signals, &si, sizeof(si)) != sizeof(si))
        return RUNNING;
    if (si.ssi_signo == SIGTERM)
        put_modes_back(s);
    if ((int)si.ssi_signo == LAUNCH_PASS)
        pass_signal(s, si.ssi_int);
    switch (si.ssi_signo) {
    case SIGCHLD:
        return reap_for_supervisor(s);
    case SIGTSTP:
        stop_sandbox(s);
        return RUNNING;
    case SIGTERM:
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
        return is_for_program(s, &si) ? RUNNING : 128 + (int)si.ssi_signo;
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

/* Waits for one event and handles it. */
static int
handle_event(struct supervise *s)
{
    struct pollfd fds[] = {
        {.fd = s->signals, .events = POLLIN},
        {.fd = s->channel, .events = POLLIN},
        {.fd = s->notify.listener, .events = POLLIN},
    };
    int left = time_left(s), status = RUNNING;

    if (left == 0)
        return child_print_error("timed out", LAUNCH_LATE);
    if (poll(fds, ARRAY_SIZE(fds), left) < 0)
        return RUNNING;
    if (fds[1].revents)
        status = receive_from_child(s);
    if (fds[2].revents &&
        (!(fds[2].revents & POLLIN) || !seccomp_notify_answer(&s->notify))) {
        close(s->notify.listener);
        s->notify.listener = -1;
    }
    if (status == RUNNING && fds[0].revents)
        status = handle_signal(s);
    return status;
}

/* Ends everything: the kernel ends a pid namespace together with init. After
 * init has reported the end it is alone, and exits by itself. */
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
    if (!s->ended || !s->conf->spec || !s->conf->spec->leave)
        children_end(NULL, 0);
}

int
supervise_run(struct supervise *s)
{
    int status = RUNNING;

    s->gave_terminal = s->conf->foreground;
    while (status == RUNNING)
        status = handle_event(s);
    end_all(s);
    if (s->conf->has_modes)
        terminal_keeper_end(s->conf->tty, &s->conf->modes);
    reclaim_terminal(s);
    return status;
}
