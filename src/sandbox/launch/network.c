/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c - a network with nobody in it, for many children. */
#include "sandbox/launch/network.h"

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
reap(pid_t pid)
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

/* Somebody has to be in them until they are held. */
static _Noreturn void
be_there(int line)
{
    char byte;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (recv(line, &byte, 1, 0) > 0)
        ;
    _exit(0);
}

void
network_make(struct network *n)
{
    CLEANUP(fd_close_p) int ours = -1;
    int ends[2];
    pid_t pid;

    *n = (struct network){-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return;
    ours = ends[0];
    pid = namespaces_fork(BOTH, NULL);
    if (pid == 0) {
        close(ends[0]);
        be_there(ends[1]);
    }
    close(ends[1]);
    if (pid < 0)
        return;
    if (namespaces_map(pid, BOTH, ours, NULL) == 0) {
        n->user = open_namespace(pid, "user");
        n->net = open_namespace(pid, "net");
    }
    if (n->net < 0)
        network_close(n);
    fd_close_p(&ours);
    ours = -1;
    (void)kill(pid, SIGKILL);
    reap(pid);
}

void
network_close(struct network *n)
{
    fd_close_p(&n->user);
    fd_close_p(&n->net);
    *n = (struct network){-1, -1};
}

/* What the one between knows, and what it says. */
struct between {
    const struct network *n;
    unsigned namespaces;
    int line;
    network_run *run;
    void *arg;
    volatile pid_t child; /* said across vfork(2); -1: none */
};

/* In a process between, which borrows our memory: enters, and starts a child
 * that is not its own but ours. Only who is there may say what the ids of a
 * namespace below are. */
static void
start_below(struct between *b)
{
    pid_t pid;

    if (setns(b->n->user, CLONE_NEWUSER) < 0 ||
        setns(b->n->net, CLONE_NEWNET) < 0)
        return;
    pid = namespaces_clone(b->namespaces | CLONE_PARENT);
    if (pid == 0) {
        b->run(b->arg);
        _exit(EXIT_UNTOLD);
    }
    if (pid < 0)
        return;
    b->child = pid;
    if (namespaces_map(pid, b->namespaces, b->line, NULL) == 0)
        return;
    (void)kill(pid, SIGKILL);
    b->child = -pid;
}

pid_t
network_fork(const struct network *n, unsigned namespaces, int line,
             network_run *run, void *arg)
{
    struct between b = {n, namespaces, line, run, arg, -1};
    pid_t pid, child;

    pid = vfork();

    if (pid == 0) {
        start_below(&b);
        _exit(0);
    }
    if (pid > 0)
        reap(pid);
    child = b.child;
    if (child < -1) /* it has no ids */
        reap(-child);
    return child > 0 ? child : -1;
}
