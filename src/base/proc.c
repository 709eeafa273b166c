/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc.c - a child process as a resource. */
#include "base/proc.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/linux_calls.h"
#include "base/proc_job.h"

#define CHILD_FDS  4  /* 0-2 and pass_fd */
#define FIRST_FREE 10 /* sources move above what the child's own take */

struct proc {
    pid_t pid;
    int pidfd;
    int ours[3];
    bool group;                 /* it leads a process group */
    bool adopt;                 /* orphans of its tree are ended with it */
    pid_t others[CHILDREN_MAX]; /* children that we had before */
    size_t n_others;
    bool reaped;
    int status;
    int killed_by;
};

/* Descriptors of a start: the child's side of each, and ours. */
struct plumbing {
    int theirs[CHILD_FDS];
    bool close_theirs[CHILD_FDS]; /* opened here, not the caller's */
    int ours[3];
    int report[2]; /* the child writes errno when it cannot execute */
};

static void
plumbing_done(struct plumbing *pl)
{
    for (int i = 0; i < CHILD_FDS; i++) {
        if (pl->close_theirs[i])
            fd_close_p(&pl->theirs[i]);
    }
    for (int i = 0; i < 3; i++)
        fd_close_p(&pl->ours[i]);
    fd_close_p(&pl->report[0]);
    fd_close_p(&pl->report[1]);
}

static int
plumb_one(struct plumbing *pl, int i, int want, struct err *e)
{
    int fds[2];

    if (want >= 0 || want == PROC_INHERIT) {
        pl->theirs[i] = want >= 0 ? want : i;
        return 0;
    }
    if (want == PROC_NULL) {
        pl->theirs[i] = open("/dev/null",
                             (i == 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
        pl->close_theirs[i] = true;
        return pl->theirs[i] < 0 ? err_sys(e, "/dev/null") : 0;
    }
    if (fd_pipe(fds, e) < 0)
        return -1;
    pl->theirs[i] = fds[i == 0 ? 0 : 1];
    pl->close_theirs[i] = true;
    pl->ours[i] = fds[i == 0 ? 1 : 0];
    return 0;
}

static int
plumb(struct plumbing *pl, const struct proc_spec *spec, struct err *e)
{
    *pl = (struct plumbing){.theirs = {-1, -1, -1, spec->pass_fd},
                            .ours = {-1, -1, -1},
                            .report = {-1, -1}};
    for (int i = 0; i < 3; i++) {
        if (plumb_one(pl, i, spec->fds[i], e) < 0)
            return -1;
    }
    return fd_pipe(pl->report, e);
}

/* From here to exec only async-signal-safe calls: fork of one thread only. */
static void
child_signals(void)
{
    struct sigaction sa = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int s = 1; s < NSIG; s++)
        (void)sigaction(s, &sa, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int
child_fds(const struct plumbing *pl)
{
    int at[CHILD_FDS];

    for (int i = 0; i < CHILD_FDS; i++) {
        at[i] = pl->theirs[i] < 0
                    ? -1
                    : fcntl(pl->theirs[i], F_DUPFD_CLOEXEC, FIRST_FREE);
        if (pl->theirs[i] >= 0 && at[i] < 0)
            return -1;
    }
    for (int i = 0; i < CHILD_FDS; i++) {
        if (at[i] >= 0 && dup2(at[i], i) < 0)
            return -1;
    }
    /* what we inherited without CLOEXEC is nothing to the child either */
    return linux_close_range(pl->theirs[3] < 0 ? 3 : 4, ~0u,
                             CLOSE_RANGE_CLOEXEC);
}

/* Makes the first of 0 to 2 that is a terminal the session's: returns it, or
 * -1. */
static int
child_terminal(void)
{
    for (int fd = 0; fd < 3; fd++) {
        if (ioctl(fd, TIOCSCTTY, 0) == 0)
            return fd;
    }
    return -1;
}

static bool
child_session(const struct proc_spec *spec)
{
    int terminal = spec->session ? child_terminal() : -1;

    if (spec->session && terminal < 0)
        return false;
    return !spec->job || proc_lead_job(terminal) == 0;
}

static void
child_exec(const struct proc_spec *spec, const struct plumbing *pl,
           pid_t parent)
{
    /* the report pipe must not lie where child_fds puts the others */
    int report = fcntl(pl->report[1], F_DUPFD_CLOEXEC, FIRST_FREE);
    int sys;

    if (spec->session)
        (void)setsid();
    else if (!spec->foreground)
        (void)setpgid(0, 0);
    if (!spec->session) /* its terminal hangs up on it instead */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127); /* it died before it could be watched */
    child_signals();
    if (child_fds(pl) == 0 && (!spec->cwd || chdir(spec->cwd) == 0) &&
        child_session(spec))
        execve(spec->argv[0], (char *const *)(uintptr_t)spec->argv,
               spec->envp ? (char *const *)(uintptr_t)spec->envp : environ);
    sys = errno;
    (void)!write(report, &sys, sizeof(sys));
    _exit(127);
}

/* The child borrows our memory until it executes its program, which a copy of
 * it would cost more than; no handler of ours may run in it meanwhile. The
 * leader of a job goes on in it, so that one gets a copy. */
static pid_t
start_child(const struct proc_spec *spec, const struct plumbing *pl,
            pid_t parent)
{
    sigset_t all, before;
    pid_t pid;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid = spec->job ? fork() : vfork();
    if (pid == 0)
        child_exec(spec, pl, parent);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return pid;
}

/* 0 when the child has executed its program, else its errno. */
static int
await_exec(struct plumbing *pl)
{
    int sys = 0;
    ssize_t n;

    fd_close_p(&pl->report[1]);
    pl->report[1] = -1;
    do
        n = read(pl->report[0], &sys, sizeof(sys));
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof(sys) ? sys : 0;
}

struct proc *
proc_start(const struct proc_spec *spec, struct err *e)
{
    CLEANUP(plumbing_done) struct plumbing pl;
    CLEANUP(proc_free_p) struct proc *p = calloc(1, sizeof(*p));
    pid_t parent = getpid();
    int sys;

    if (p) /* nothing to kill, reap or close until it has been forked */
        *p = (struct proc){.pidfd = -1,
                           .ours = {-1, -1, -1},
                           .group = !spec->foreground,
                           .reaped = true};
    if (plumb(&pl, spec, e) < 0)
        return NULL;
    if (!p) {
        err_sys(e, "process");
        return NULL;
    }
    if (spec->adopt) {
        p->adopt = true;
        children_adopt();
        p->n_others = children_list(p->others, CHILDREN_MAX);
    }
    p->pid = start_child(spec, &pl, parent);
    p->reaped = p->pid < 0;
    if (p->reaped) {
        err_sys(e, "fork");
        return NULL;
    }
    /* both sides: no moment without it; but a leader could not setsid() */
    if (p->group && !spec->session)
        (void)setpgid(p->pid, p->pid);
    sys = await_exec(&pl);
    p->pidfd = linux_pidfd_open(p->pid, 0);
    if (sys != 0 || p->pidfd < 0) {
        errno = sys ? sys : errno;
        err_sys(e, "%s", spec->argv[0]);
        return NULL;
    }
    for (int i = 0; i < 3; i++)
        p->ours[i] = TAKE_FD(pl.ours[i]);
    return TAKE_PTR(p);
}

struct proc *
proc_take(pid_t pid, const int ours[3], struct err *e)
{
    struct proc *p = calloc(1, sizeof(*p));
    int fd = linux_pidfd_open(pid, 0);

    if (!p || fd < 0) {
        err_sys(e, "process");
        (void)kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
        fd_close_p(&fd);
        free(p);
        return NULL;
    }
    *p = (struct proc){.pid = pid,
                       .pidfd = fd,
                       .ours = {ours[0], ours[1], ours[2]},
                       .group = true};
    (void)setpgid(pid, pid); /* it does so itself, but perhaps not yet */
    return p;
}

pid_t
proc_pid(const struct proc *p)
{
    return p->pid;
}

int
proc_fd(const struct proc *p, int which)
{
    return p->ours[which];
}

void
proc_close_fd(struct proc *p, int which)
{
    fd_close_p(&p->ours[which]);
    p->ours[which] = -1;
}

int
proc_pidfd(const struct proc *p)
{
    return p->pidfd;
}

void
proc_signal(struct proc *p, int signo)
{
    if (!p->reaped)
        (void)kill(p->group ? -p->pid : p->pid, signo);
}

/* The child is dead but not reaped, so its number still names its group. */
static int
reap(struct proc *p)
{
    int st;

    if (p->group)
        (void)kill(-p->pid, SIGKILL);
    while (waitpid(p->pid, &st, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    p->reaped = true;
    if (p->adopt)
        children_end(p->others, p->n_others);
    p->killed_by = WIFSIGNALED(st) ? WTERMSIG(st) : 0;
    p->status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
    return 0;
}

int
proc_wait(struct proc *p, int timeout_ms, int *status, struct err *e)
{
    struct pollfd pfd = {.fd = p->pidfd, .events = POLLIN};
    int64_t until = clock_ms() + timeout_ms;
    int64_t left = timeout_ms;
    int rc = 0;

    while (!p->reaped && rc <= 0) {
        rc = poll(&pfd, 1, (int)left);
        if (rc == 0)
            return 1;
        if (rc < 0 && errno != EINTR)
            return err_sys(e, "poll");
        if (timeout_ms >= 0) {
            left = until - clock_ms();
            left = left < 0 ? 0 : left;
        }
    }
    if (!p->reaped && reap(p) < 0)
        return err_sys(e, "wait");
    *status = p->status;
    return 0;
}

bool
proc_was_stopped(const struct proc *p)
{
    siginfo_t si = {0};

    return !p->reaped &&
           waitid(P_PIDFD, (id_t)p->pidfd, &si, WSTOPPED | WNOHANG) == 0 &&
           si.si_code == CLD_STOPPED;
}

void
proc_spare(struct proc *p)
{
    p->adopt = false;
}

int
proc_killed_by(const struct proc *p)
{
    return p->killed_by;
}

void
proc_free(struct proc *p)
{
    if (!p)
        return;
    if (!p->reaped) {
        proc_signal(p, SIGKILL);
        (void)kill(p->pid, SIGKILL);
        (void)reap(p);
    }
    for (int i = 0; i < 3; i++)
        fd_close_p(&p->ours[i]);
    fd_close_p(&p->pidfd);
    free(p);
}
