/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_network.c - makes an empty network namespace that many children
 * share. */
#include "sandbox/launch/private_network.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/namespaces.h"

#define BOTH (CLONE_NEWUSER | CLONE_NEWNET)

static void
reap_process(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static int
open_namespace(pid_t pid, const char *name)
{
    char path[48];

    snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* A process must be in the namespaces until descriptors hold them. */
static _Noreturn void
wait_in_namespaces(int channel)
{
    char byte;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (recv(channel, &byte, 1, 0) > 0)
        ;
    _exit(0);
}

void
private_network_make(struct private_network *n)
{
    CLEANUP(fd_close_p) int ours = -1;
    int ends[2];
    pid_t pid;

    *n = (struct private_network){-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return;
    ours = ends[0];
    pid = namespaces_fork(BOTH, NULL);
    if (pid == 0) {
        close(ends[0]);
        wait_in_namespaces(ends[1]);
    }
    close(ends[1]);
    if (pid < 0)
        return;
    if (namespaces_map(pid, BOTH, ours, NULL) == 0) {
        n->user = open_namespace(pid, "user");
        n->net = open_namespace(pid, "net");
    }
    if (n->net < 0)
        private_network_close(n);
    fd_close_p(&ours);
    ours = -1;
    (void)kill(pid, SIGKILL);
    reap_process(pid);
}

void
private_network_close(struct private_network *n)
{
    fd_close_p(&n->user);
    fd_close_p(&n->net);
    *n = (struct private_network){-1, -1};
}

/* What the intermediate process needs, and its result. */
struct intermediate {
    const struct private_network *n;
    unsigned namespaces;
    int channel;
    private_network_run_fn *run;
    void *arg;
    volatile pid_t
        child; /* the result, in shared memory (vfork(2)); -1: none */
};

/* Runs in an intermediate process, which shares our memory: enters the
 * namespaces and forks a child that is ours, not its own. Only a process in
 * there may map the ids of a namespace below. */
static void
start_below(struct intermediate *b)
{
    pid_t pid;

    if (setns(b->n->user, CLONE_NEWUSER) < 0 ||
        setns(b->n->net, CLONE_NEWNET) < 0)
        return;
    pid = namespaces_clone(b->namespaces | CLONE_PARENT);
    if (pid == 0) {
        b->run(b->arg);
        _exit(EXIT_UNREPORTED);
    }
    if (pid < 0)
        return;
    b->child = pid;
    if (namespaces_map(pid, b->namespaces, b->channel, NULL) == 0)
        return;
    (void)kill(pid, SIGKILL);
    b->child = -pid;
}

pid_t
private_network_fork(const struct private_network *n, unsigned namespaces,
                     int channel, private_network_run_fn *run, void *arg)
{
    struct intermediate b = {n, namespaces, channel, run, arg, -1};
    pid_t pid, child;

    pid = vfork();

    if (pid == 0) {
        start_below(&b);
        _exit(0);
    }
    if (pid > 0)
        reap_process(pid);
    child = b.child;
    if (child < -1) /* its ids are not mapped */
        reap_process(-child);
    return child > 0 ? child : -1;
}
