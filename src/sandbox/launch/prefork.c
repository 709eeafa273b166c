/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prefork.c - forks a child into its namespaces before it is needed. */
#include "sandbox/launch/prefork.h"

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
#include "base/fd.h"
#include "sandbox/confine.h"
#include "sandbox/launch/child.h"
#include "sandbox/launch/kernel_mounts.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/limits.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/prefork_message.h"
#include "sandbox/launch/supervise.h"

#define MOUNTS "/proc/self/mountinfo"

/* The profile whose namespaces most steps and tools have. */
#define USUAL PROFILE_WORKSPACE_WRITE

struct waiting_child {
    const struct prefork *r;
    int channel;
    bool rest; /* the child makes the rest of its namespaces itself */
    bool root;
};

static _Noreturn void
wait_and_run(void *arg)
{
    const struct waiting_child *w = arg;
    const struct prefork *r = w->r;
    int channel = w->channel;
    bool root = w->root;
    static const struct sandbox_spec usual = {.profile = USUAL};
    static struct kernel_mounts own;
    static struct prefork_message
        b; /* static: only the pages that are used are allocated */
    struct err e = {0};
    sigset_t signals;
    bool made;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    b.conf.channel = channel;
    b.conf.tty = -1;
    b.conf.namespaces = r->namespaces;
    b.conf.preforked = true;
    b.conf.has_session = r->alone;
    b.conf.kernel_mounts = &own;
    b.conf.builtin = r->builtin;
    (void)child_close_all_but(STDERR_FILENO + 1, &channel, 1);
    (void)signal(SIGPIPE,
                 SIG_DFL); /* the front ignores it; the child must not */
    supervise_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &b.conf.mask);
    if (r->alone)
        (void)setsid();
    made = (!w->rest || namespaces_unshare_rest(r->namespaces, &e) == 0) &&
           confine_bounds(0, &e) == 0;
    namespaces_wait(channel);
    made = made &&
           kernel_mounts_open(&own, true, root ? LIMITS_PROCESSES : 0, &e) == 0;
    if (made)
        kernel_mounts_open_tmpfs(&own, limits_tmpfs_bytes(&usual));
    if (prefork_message_receive(channel, &b, made ? &e : NULL) < 0)
        _exit(EXIT_UNREPORTED);
    if (!made) /* the error can be printed only now */
        _exit(child_print_error(e.text, LAUNCH_FAILED));
    child_run(&b.conf);
}

/* Moves a descriptor above those that our programs use. */
static int
move_fd_up(int *fd)
{
    int high = *fd < 0 ? -1 : fcntl(*fd, F_DUPFD_CLOEXEC, FD_FIRST_FREE);

    fd_close_p(fd);
    *fd = high;
    return high;
}

/* Forks the child without a private network. Returns the child; -1: there is
 * none. The caller is being waited for, but the child is not, so it makes most
 * of its namespaces itself. */
static pid_t
fork_directly(const struct prefork *r, struct waiting_child *w)
{
    pid_t pid;

    w->rest = true;
    pid = namespaces_fork(r->namespaces & NAMESPACES_FIRST, NULL);

    if (pid == 0)
        wait_and_run(w);
    if (pid < 0 || namespaces_map(pid, r->namespaces, r->channel, NULL) == 0)
        return pid;
    (void)kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return -1;
}

void
prefork_make(struct prefork *r, const struct private_network *n,
             const struct child_builtin *builtin, bool alone)
{
    unsigned usual = namespaces_of_profile(USUAL);
    struct waiting_child w = {.r = r, .root = geteuid() == 0};
    bool apart = n && n->net >= 0;
    int ends[2];

    *r = (struct prefork){.channel = -1,
                          .mounts = open(MOUNTS, O_RDONLY | O_CLOEXEC),
                          .namespaces = usual | (apart ? CLONE_NEWNET : 0),
                          .alone = alone,
                          .builtin = builtin};
    if (move_fd_up(&r->mounts) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return;
    r->channel = ends[0];
    w.channel = ends[1];
    r->child = apart ? private_network_fork(n, usual, r->channel, wait_and_run,
                                            &w)
                     : fork_directly(r, &w);
    close(ends[1]);
    if (move_fd_up(&r->channel) < 0 || r->child < 0)
        prefork_drop(r);
}

/* Returns whether the mounts are unchanged: poll(2) of mountinfo reports every
 * change since it was opened. */
static bool
are_mounts_unchanged(int mounts)
{
    struct pollfd p = {.fd = mounts, .events = POLLPRI};

    return poll(&p, 1, 0) == 0;
}

bool
prefork_fits(const struct prefork *r, const struct child_config *conf)
{
    return r->child > 0 && conf->namespaces == r->namespaces && conf->tty < 0 &&
           conf->spec->keep_terminal != r->alone &&
           are_mounts_unchanged(r->mounts);
}

int
prefork_start(struct prefork *r, const struct child_config *conf,
              char *const *words)
{
    r->going = prefork_message_send(r->channel, conf, words, NULL) == 0;
    return r->going ? 0 : -1;
}

pid_t
prefork_take(struct prefork *r, const struct child_config *conf)
{
    pid_t child = r->going ? r->child : 0;
    struct err e = {0};

    if (child == 0)
        return 0;
    if (prefork_message_send_kept(r->channel, conf, &e) < 0) {
        /* it would wait for the rest for ever */
        (void)child_print_error(e.text, LAUNCH_FAILED);
        (void)shutdown(r->channel, SHUT_RDWR);
    }
    r->child = 0;
    r->channel = -1;
    return child;
}

void
prefork_drop(struct prefork *r)
{
    if (r->child > 0) {
        (void)kill(r->child, SIGKILL);
        while (waitpid(r->child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    fd_close_p(&r->channel);
    fd_close_p(&r->mounts);
    r->child = 0;
    r->channel = r->mounts = -1;
}
