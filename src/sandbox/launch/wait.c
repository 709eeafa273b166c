/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.c - a launcher that is there before it is needed. */
#include "sandbox/launch/wait.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/ready.h"

#define TURN_MS 1  /* what it takes to hear of an end */
#define LONG_MS 50 /* a command that goes on for as long is no prompt one */

struct order {
    struct wait_order head;
    int fds[WAIT_FDS];
    char *bytes;
    char **list; /* the words, NULL, the variables, NULL */
};

static void
order_done(struct order *o)
{
    for (int i = 0; i < WAIT_FDS; i++)
        fd_close_p(&o->fds[i]);
    free(o->bytes);
    free(o->list);
}

static bool
read_all(char *to, size_t n)
{
    while (n > 0) {
        ssize_t got = read(WAIT_SOCKET, to, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

/* The head, and the descriptors that come with its first byte. */
static bool
read_head(struct order *o)
{
    char control[CMSG_SPACE(sizeof(o->fds))];
    struct iovec io = {&o->head, sizeof(o->head)};
    struct msghdr msg = {
        .msg_iov = &io,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    ssize_t n;
    const struct cmsghdr *c;

    do
        n = recvmsg(WAIT_SOCKET, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    c = n == sizeof(o->head) ? CMSG_FIRSTHDR(&msg) : NULL;
    if (!c || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len != CMSG_LEN(sizeof(o->fds)))
        return false;
    memcpy(o->fds, CMSG_DATA(c), sizeof(o->fds));
    return true;
}

/* The n strings from p on, which end before `end`, with NULL after them. */
static char *
split(char *p, const char *end, char **list, uint32_t n)
{
    for (uint32_t i = 0; i < n && p; i++) {
        char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;

        list[i] = p;
        p = nul ? nul + 1 : NULL;
    }
    list[n] = NULL;
    return p;
}

static bool
read_order(struct order *o)
{
    const struct wait_order *h = &o->head;
    char *p;

    if (!read_head(o) || h->bytes > WAIT_BYTES_MAX || h->words > h->bytes ||
        h->variables > h->bytes - h->words)
        return false;
    o->bytes = malloc(h->bytes + 1u);
    o->list = calloc((size_t)h->words + h->variables + 2, sizeof(*o->list));
    if (!o->bytes || !o->list || !read_all(o->bytes, h->bytes))
        return false;
    p = split(o->bytes, o->bytes + h->bytes, o->list, h->words);
    return p &&
           split(p, o->bytes + h->bytes, o->list + h->words + 1, h->variables);
}

/* As if the front had executed us with these words. */
static int
launch(struct order *o, struct ready *r, int baton)
{
    int at = LAUNCH_REPORT_FD;

    (void)setpgid(0, 0);
    if (fchdir(o->fds[WAIT_CWD]) < 0)
        return EXIT_SANDBOX;
    for (int i = 0; i <= at; i++) {
        if (dup2(o->fds[i], i) < 0)
            return EXIT_SANDBOX;
    }
    environ = o->list + o->head.words + 1;
    return launch_ready((int)o->head.words, o->list, r, baton, true);
}

/* Who waits. */
struct waiter {
    pid_t front;
    const struct inside_tool *tool;
    struct network network; /* that its children are in */
};

/* The copy: makes its child, says who it is, takes an order and follows it.
 * Until then it is in our group, by which the front knows it. */
static int
serve_one(const struct waiter *w, int baton)
{
    CLEANUP(order_done) struct order o = {.fds = {-1, -1, -1, -1, -1}};
    CLEANUP(ready_drop) struct ready r = {.line = -1, .mounts = -1};
    int32_t own = getpid();

    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != w->front)
        return 128 + SIGTERM;
    ready_make(&r, &w->network, w->tool, true);
    if (send(WAIT_SOCKET, &own, sizeof(own), MSG_NOSIGNAL) != sizeof(own) ||
        !read_order(&o))
        return 0;
    (void)!send(baton, "o", 1, MSG_NOSIGNAL); /* perhaps there is no next one */
    return launch(&o, &r, baton);
}

/* Until the copy has an order. False: it ended without one, since nobody is
 * there. */
static bool
await_order(int baton)
{
    char byte;

    return recv(baton, &byte, 1, 0) == 1;
}

/* Until the copy has ended, or another order came, or it is at work for long.
 * Its end is the front's turn, before it is ours. */
static void
await_end(int baton)
{
    struct pollfd fds[] = {{.fd = WAIT_SOCKET, .events = POLLIN},
                           {.fd = baton, .events = POLLIN}};

    if (poll(fds, 2, LONG_MS) <= 0 || !fds[1].revents)
        return;
    (void)poll(fds, 1, TURN_MS);
}

static bool
serve_next(struct waiter *w)
{
    CLEANUP(fd_close_p) int ours = -1;
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return false;
    pid = namespaces_clone(CLONE_PARENT); /* the front's child */
    if (pid == 0) {
        close(ends[0]);
        _exit(serve_one(w, ends[1]));
    }
    ours = ends[0];
    close(ends[1]);
    if (pid < 0 || !await_order(ours))
        return false;
    await_end(ours);
    return true;
}

int
wait_serve(const struct inside_tool *tool)
{
    struct waiter w = {getppid(), tool, {-1, -1}};

    (void)prctl(PR_SET_NAME, "agentsh-launch");
    network_make(&w.network);
    while (serve_next(&w))
        ;
    network_close(&w.network);
    return 0;
}
