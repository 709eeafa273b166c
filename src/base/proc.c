/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc.c - starts child processes, waits for them and kills their trees. */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/children.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/linux_calls.h"

#define CHILD_FDS 4 /* 0-2 and pass_fd */

struct proc {
    pid_t pid;
    int pidfd;
    int ours[3];
    bool group;                 /* it leads a process group */
    bool keep_group;            /* which stays when it ends by itself */
    bool adopt;                 /* orphaned descendants are killed with it */
    pid_t others[CHILDREN_MAX]; /* children from before it was started */
    size_t n_others;
    bool reaped;
    int status;
    int killed_by;
};

/* The descriptors of a child to start: its side of each, and ours. */
struct plumbing {
    int theirs[CHILD_FDS];
    bool close_theirs[CHILD_FDS]; /* opened here, so closed here */
    int ours[3];
    int report[2]; /* the child writes errno here when it cannot execute */
};

/* A job's leader (spec->job).
 *
 * A session's leader itself cannot be stopped by Ctrl-Z: its process group has
 * no parent in the session, and such an orphaned group is not stopped (POSIX).
 * So the leader does what a shell does for one job, and nothing else. */

/* Runs in the job, before its program. SIGTTOU is blocked, since a background
 * process that takes the terminal is stopped by it. */
static int
become_job(int terminal, pid_t leader)
{
    sigset_t out, before;
    int rc;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != leader)
        return -1;
    sigemptyset(&out);
    sigaddset(&out, SIGTTOU);
    sigprocmask(SIG_BLOCK, &out, &before);
    rc = setpgid(0, 0);
    if (rc == 0)
        rc = tcsetpgrp(terminal, getpid());
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}

static void
wait_as_leader(pid_t job)
{
    int st = 0;

    for (;;) {
        if (waitpid(job, &st, WUNTRACED) < 0) {
            if (errno == EINTR)
                continue;
            _exit(127);
        }
        if (WIFEXITED(st))
            _exit(WEXITSTATUS(st));
        if (WIFSIGNALED(st))
            _exit(128 + WTERMSIG(st));
        if (!WIFSTOPPED(st))
            continue;
        (void)raise(SIGSTOP); /* our parent sees this process, not the job */
        (void)kill(-job, SIGCONT);
    }
}

/* The calling process leads a session with this terminal. Returns 0 in a new
 * process, the job in the foreground, which is to execute its program; -1 when
 * there is none. The leader does not return: it stops when the job is stopped,
 * continues it when it is continued, and ends with the job's status. */
static int
proc_lead_job(int terminal)
{
    pid_t leader = getpid(), job = fork();

    if (job < 0)
        return -1;
    if (job == 0)
        return become_job(terminal, leader);
    /* closes the pipe that reports the exec: only the job has it from here on
     */
    (void)linux_close_range(3, ~0u, 0);
    wait_as_leader(job);
    return -1;
}

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
open_descriptor(struct plumbing *pl, int i, int want, struct err *e)
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
open_descriptors(struct plumbing *pl, const struct proc_spec *spec,
                 struct err *e)
{
    *pl = (struct plumbing){.theirs = {-1, -1, -1, spec->pass_fd},
                            .ours = {-1, -1, -1},
                            .report = {-1, -1}};
    for (int i = 0; i < 3; i++) {
        if (open_descriptor(pl, i, spec->fds[i], e) < 0)
            return -1;
    }
    return fd_pipe(pl->report, e);
}

/* From here to exec only async-signal-safe functions are called. */
static void
child_signals(int held)
{
    struct sigaction sa = {.sa_handler = SIG_DFL};
    sigset_t mask;

    for (int s = 1; s < NSIG; s++)
        (void)sigaction(s, &sa, NULL);
    sigemptyset(&mask);
    if (held > 0)
        sigaddset(&mask, held);
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

static int
child_fds(const struct plumbing *pl)
{
    int at[CHILD_FDS];

    for (int i = 0; i < CHILD_FDS; i++) {
        at[i] = pl->theirs[i] < 0
                    ? -1
                    : fcntl(pl->theirs[i], F_DUPFD_CLOEXEC, FD_FIRST_FREE);
        if (pl->theirs[i] >= 0 && at[i] < 0)
            return -1;
    }
    for (int i = 0; i < CHILD_FDS; i++) {
        if (at[i] >= 0 && dup2(at[i], i) < 0)
            return -1;
    }
    /* also descriptors that we inherited without CLOEXEC are closed */
    return linux_close_range(pl->theirs[3] < 0 ? 3 : 4, ~0u,
                             CLOSE_RANGE_CLOEXEC);
}

/* Makes the first of descriptors 0 to 2 that is a terminal the controlling one
 * of the session. Returns it, or -1. */
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

static bool
child_limits(const struct proc_spec *spec)
{
    for (int i = 0; i < PROC_LIMITS; i++) {
        rlim_t v = spec->limits[i].value;
        struct rlimit limit = {.rlim_cur = v, .rlim_max = v};

        if (v > 0 && setrlimit(spec->limits[i].resource, &limit) < 0)
            return false;
    }
    return true;
}

static bool
child_directory(const struct proc_spec *spec)
{
    int fd = spec->seat ? seat_fd(spec->seat) : -1;

    if (spec->cwd)
        return chdir(spec->cwd) == 0;
    return fd < 0 || fchdir(fd) == 0; /* without a descriptor it is ours */
}

static const char *
program_of(const struct proc_spec *spec)
{
    return spec->program ? spec->program : spec->argv[0];
}

/* Every signal is blocked, so that SIGTTOU does not stop it. */
static void
take_terminal(const struct proc_spec *spec)
{
    for (int i = 0; i < 3; i++) {
        if (spec->fds[i] >= 0 && tcsetpgrp(spec->fds[i], getpid()) == 0)
            return;
    }
}

static void
child_exec(const struct proc_spec *spec, const struct plumbing *pl,
           pid_t parent)
{
    /* move the report pipe away from the numbers that child_fds uses */
    int report = fcntl(pl->report[1], F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    int sys;

    if (spec->session)
        (void)setsid();
    else if (!spec->foreground)
        (void)setpgid(0, 0);
    if (!spec->session) /* a session gets SIGHUP from its terminal instead */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127); /* the parent died before PR_SET_PDEATHSIG */
    if (spec->takes_terminal)
        take_terminal(spec);
    child_signals(spec->held_signal);
    /* the seat's descriptor may have a number that child_fds uses */
    if (child_directory(spec) && child_fds(pl) == 0 && child_session(spec) &&
        child_limits(spec))
        execve(program_of(spec), (char *const *)(uintptr_t)spec->argv,
               spec->envp ? (char *const *)(uintptr_t)spec->envp : environ);
    sys = errno;
    (void)!write(report, &sys, sizeof(sys));
    _exit(127);
}

/* The child shares our memory until it executes its program (vfork(2)), since a
 * copy costs more than the rest; signals are blocked so that no handler of ours
 * runs in it. The leader of a job executes nothing, so it gets a copy
 * (fork(2)). */
static pid_t
vfork_child(const struct proc_spec *spec, const struct plumbing *pl,
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

/* Returns 0 when the child has executed its program, else its errno. */
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

    if (p) /* nothing to kill, reap or close before the fork */
        *p = (struct proc){.pidfd = -1,
                           .ours = {-1, -1, -1},
                           .group = !spec->foreground,
                           .reaped = true};
    if (open_descriptors(&pl, spec, e) < 0)
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
    p->pid = vfork_child(spec, &pl, parent);
    p->reaped = p->pid < 0;
    if (p->reaped) {
        err_sys(e, "fork");
        return NULL;
    }
    /* parent and child both do it, so that there is no moment without the
     * group; but a group leader could not call setsid() */
    if (p->group && !spec->session)
        (void)setpgid(p->pid, p->pid);
    sys = await_exec(&pl);
    p->pidfd = linux_pidfd_open(p->pid, 0);
    if (sys != 0 || p->pidfd < 0) {
        errno = sys ? sys : errno;
        err_sys(e, "%s", program_of(spec));
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
    (void)setpgid(pid, pid); /* the child does it too, but perhaps not yet */
    return p;
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

    if (p->group && !p->keep_group)
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
proc_keep_descendants(struct proc *p)
{
    p->adopt = false;
}

void
proc_keep_group(struct proc *p)
{
    p->keep_group = true;
}

pid_t
proc_pid(const struct proc *p)
{
    return p->pid;
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
        p->keep_group = false;
        proc_signal(p, SIGKILL);
        (void)kill(p->pid, SIGKILL);
        (void)reap(p);
    }
    for (int i = 0; i < 3; i++)
        fd_close_p(&p->ours[i]);
    fd_close_p(&p->pidfd);
    free(p);
}

/* Running a child for its output. */

/* The signals that would end this process are blocked and left pending while it
 * waits, so that they have their usual effect afterwards. */
struct held_signals {
    int fd; /* readable when one is pending */
    sigset_t before;
};

static void
held_done(struct held_signals *h)
{
    if (h->fd < 0)
        return;
    sigprocmask(SIG_SETMASK, &h->before, NULL);
    fd_close_p(&h->fd);
}

static int
hold_signals(struct held_signals *h, struct err *e)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
        struct sigaction sa;

        /* an ignored signal would be pending too */
        if (sigaction(ending[i], NULL, &sa) == 0 && sa.sa_handler != SIG_IGN)
            sigaddset(&set, ending[i]);
    }
    h->fd = signalfd(-1, &set, SFD_CLOEXEC);
    if (h->fd < 0)
        return err_sys(e, "signals");
    sigprocmask(SIG_BLOCK, &set, &h->before);
    return 0;
}

/* Waits until fd is readable. */
static int
await(int fd, const struct held_signals *h, int64_t until, struct err *e)
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

/* Reads standard output until its end or the deadline. */
static int
collect(int fd, const struct held_signals *h, int64_t until, struct buf *out,
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
    CLEANUP(held_done) struct held_signals held = {.fd = -1};
    CLEANUP(proc_free_p) struct proc *p = NULL; /* freed before held is */

    piped.fds[1] = PROC_PIPE;
    if (hold_signals(&held, e) < 0 || !(p = proc_start(&piped, e)))
        return -1;
    if (collect(proc_fd(p, 1), &held, until, out, e) < 0 ||
        await(proc_pidfd(p), &held, until, e) < 0)
        return err_wrap(e, "%s", spec->argv[0]);
    proc_keep_descendants(p);
    return proc_wait(p, -1, status, e);
}
