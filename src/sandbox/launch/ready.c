/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.c - a child that is in its namespaces before it is needed. */
#include "sandbox/launch/ready.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/confine.h"
#include "sandbox/launch/brief.h"
#include "sandbox/launch/limits.h"
#include "sandbox/launch/mounts_own.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/supervise.h"

#define MOUNTS     "/proc/self/mountinfo"
#define FIRST_FREE 10

/* The profiles that steps and tools run in. */
#define USUAL PROFILE_WORKSPACE_WRITE

struct waits {
    const struct ready *r;
    int line;
    bool rest; /* it makes itself what namespaces_rest can */
    bool root;
};

static _Noreturn void
wait_inside(void *arg)
{
    const struct waits *w = arg;
    const struct ready *r = w->r;
    int line = w->line;
    bool root = w->root;
    static const struct sandbox_spec usual = {.profile = USUAL};
    static struct mounts_own own;
    static struct brief b; /* of its many pages only those it needs are made */
    struct err e = {0};
    sigset_t signals;
    bool made;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    b.in.line = line;
    b.in.tty = -1;
    b.in.namespaces = r->namespaces;
    b.in.ready = true;
    b.in.session = r->alone;
    b.in.own = &own;
    b.in.tool = r->tool;
    (void)inside_close_but(STDERR_FILENO + 1, &line, 1);
    (void)signal(SIGPIPE, SIG_DFL); /* that the front ignores it is its own */
    supervise_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &b.in.mask);
    if (r->alone)
        (void)setsid();
    made = (!w->rest || namespaces_rest(r->namespaces, &e) == 0) &&
           confine_bounds(0, &e) == 0;
    namespaces_wait(line);
    made = made &&
           mounts_own_take(&own, true, root ? LIMITS_PROCESSES : 0, &e) == 0;
    if (made)
        mounts_own_room(&own, limits_room(&usual));
    if (brief_hear(line, &b, made ? &e : NULL) < 0)
        _exit(EXIT_UNTOLD);
    if (!made) /* now it has somebody to tell */
        _exit(inside_complain(e.text, EXIT_SANDBOX));
    inside_run(&b.in);
}

/* Where no program of ours has a place for it. */
static int
out_of_the_way(int *fd)
{
    int high = *fd < 0 ? -1 : fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_FREE);

    fd_close_p(fd);
    *fd = high;
    return high;
}

/* Where the machine's own network is as good, or the other is not to be had.
 * Returns the child; -1: there is none. Somebody waits for us, and nobody for
 * the child: it makes itself what it can. */
static pid_t
start_here(const struct ready *r, struct waits *w)
{
    pid_t pid;

    w->rest = true;
    pid = namespaces_fork(r->namespaces & NAMESPACES_FIRST, NULL);

    if (pid == 0)
        wait_inside(w);
    if (pid < 0 || namespaces_map(pid, r->namespaces, r->line, NULL) == 0)
        return pid;
    (void)kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return -1;
}

void
ready_make(struct ready *r, const struct network *n,
           const struct inside_tool *tool, bool alone)
{
    unsigned usual = namespaces_of(USUAL);
    struct waits w = {.r = r, .root = geteuid() == 0};
    bool apart = n && n->net >= 0;
    int ends[2];

    *r = (struct ready){.line = -1,
                        .mounts = open(MOUNTS, O_RDONLY | O_CLOEXEC),
                        .namespaces = usual | (apart ? CLONE_NEWNET : 0),
                        .alone = alone,
                        .tool = tool};
    if (out_of_the_way(&r->mounts) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return;
    r->line = ends[0];
    w.line = ends[1];
    r->child = apart ? network_fork(n, usual, r->line, wait_inside, &w)
                     : start_here(r, &w);
    close(ends[1]);
    if (out_of_the_way(&r->line) < 0 || r->child < 0)
        ready_drop(r);
}

/* poll(2) of it tells of every change since it was opened. */
static bool
are_as_before(int mounts)
{
    struct pollfd p = {.fd = mounts, .events = POLLPRI};

    return poll(&p, 1, 0) == 0;
}

bool
ready_fits(const struct ready *r, const struct inside *in)
{
    return r->child > 0 && in->namespaces == r->namespaces && in->tty < 0 &&
           in->spec->keep_terminal != r->alone && are_as_before(r->mounts);
}

int
ready_go(struct ready *r, const struct inside *in, char *const *words)
{
    r->going = brief_send(r->line, in, words, NULL) == 0;
    return r->going ? 0 : -1;
}

pid_t
ready_take(struct ready *r, const struct inside *in)
{
    pid_t child = r->going ? r->child : 0;

    if (child == 0)
        return 0;
    (void)brief_send_kept(r->line, in, NULL);
    r->child = 0;
    r->line = -1;
    return child;
}

void
ready_drop(struct ready *r)
{
    if (r->child > 0) {
        (void)kill(r->child, SIGKILL);
        while (waitpid(r->child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    fd_close_p(&r->line);
    fd_close_p(&r->mounts);
    r->child = 0;
    r->line = r->mounts = -1;
}
