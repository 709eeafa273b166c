/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.c - a child that is in its namespaces before it is needed. */
#include "sandbox/launch/ready.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "sandbox/confine.h"
#include "sandbox/launch/brief.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/limits.h"
#include "sandbox/launch/mounts_own.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/supervise.h"

#define MOUNTS "/proc/self/mountinfo"

/* The profiles that steps and tools run in. */
#define USUAL PROFILE_WORKSPACE_WRITE

static _Noreturn void
wait_inside(int line, const struct inside_tool *tool, bool root)
{
    struct mounts_own own;
    struct brief b = {.in = {.line = line,
                             .tty = -1,
                             .namespaces = namespaces_of(USUAL),
                             .ready = true,
                             .own = &own,
                             .tool = tool}};
    struct err e = {0};
    sigset_t signals;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)close_range(STDERR_FILENO + 1, (unsigned)line - 1, 0);
    (void)close_range((unsigned)line + 1, ~0u, 0);
    supervise_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &b.in.mask);
    (void)
        setsid(); /* it has no terminal: those that are to have one wait not */
    namespaces_wait(line);
    if (confine_bounds(0, &e) < 0 ||
        mounts_own_take(&own, true, root ? LIMITS_PROCESSES : 0, &e) < 0 ||
        brief_hear(line, &b, &e) < 0)
        _exit(inside_complain(e.text, EXIT_SANDBOX));
    inside_run(&b.in);
}

static int
watch_mounts(int *out)
{
    int fd = open(MOUNTS, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fd_move(&fd, LAUNCH_MOUNTS_FD, NULL) < 0)
        return -1;
    *out = LAUNCH_MOUNTS_FD;
    return 0;
}

void
ready_make(struct ready *r, const struct inside_tool *tool)
{
    unsigned namespaces = namespaces_of(USUAL);
    bool root = geteuid() == 0;
    pid_t child;
    int ends[2];

    *r = (struct ready){.line = -1, .mounts = -1, .tool = tool};
    if (watch_mounts(&r->mounts) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return;
    child = namespaces_fork(namespaces, NULL);
    if (child == 0)
        wait_inside(ends[1], tool, root);
    close(ends[1]);
    r->child = child > 0 ? child : 0;
    if (fd_move(&ends[0], LAUNCH_LINE_FD, NULL) == 0)
        r->line = LAUNCH_LINE_FD;
    if (child <= 0 || r->line < 0 ||
        namespaces_map(child, namespaces, r->line, NULL) < 0)
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
    return r->child > 0 && in->namespaces == namespaces_of(USUAL) &&
           !in->spec->keep_terminal && are_as_before(r->mounts);
}

int
ready_go(const struct ready *r, const struct inside *in, char *const *words)
{
    return brief_send(r->line, in, words, NULL);
}

pid_t
ready_take(struct ready *r)
{
    pid_t child = r->child;

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
    *r = (struct ready){.line = -1, .mounts = -1, .tool = r->tool};
}
