/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zygote.c - serves launches from a process that is started before it is
 * needed. */
#include "sandbox/launch/zygote.h"

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
#include "base/process_list.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/prefork.h"

#define TURN_MS 1  /* as long as it takes to notice an end */
#define LONG_MS 50 /* a command that runs longer is no quick one */

struct incoming_request {
    struct zygote_request head;
    int fds[ZYGOTE_FDS];
    char *bytes;
    char **list; /* the words, NULL, the variables, NULL */
};

static void
incoming_request_done(struct incoming_request *o)
{
    for (int i = 0; i < ZYGOTE_FDS; i++)
        fd_close_p(&o->fds[i]);
    free(o->bytes);
    free(o->list);
}

static bool
read_exactly(char *to, size_t n)
{
    while (n > 0) {
        ssize_t got = read(ZYGOTE_SOCKET, to, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

/* Receives the struct and the descriptors that come with it. */
static bool
receive_request_head(struct incoming_request *o)
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
        n = recvmsg(ZYGOTE_SOCKET, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    c = n == sizeof(o->head) ? CMSG_FIRSTHDR(&msg) : NULL;
    if (!c || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len != CMSG_LEN(sizeof(o->fds)))
        return false;
    memcpy(o->fds, CMSG_DATA(c), sizeof(o->fds));
    return true;
}

/* Lists the n strings from p on, all before `end`, with a NULL after them.
 * Returns the byte after them; NULL: there are fewer. */
static char *
split_strings(char *p, const char *end, char **list, uint32_t n)
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
receive_request(struct incoming_request *o)
{
    const struct zygote_request *h = &o->head;
    char *p;

    if (!receive_request_head(o) || h->bytes > ZYGOTE_BYTES_MAX ||
        h->words > h->bytes || h->variables > h->bytes - h->words)
        return false;
    o->bytes = malloc(h->bytes + 1u);
    o->list = calloc((size_t)h->words + h->variables + 2, sizeof(*o->list));
    if (!o->bytes || !o->list || !read_exactly(o->bytes, h->bytes))
        return false;
    p = split_strings(o->bytes, o->bytes + h->bytes, o->list, h->words);
    return p && split_strings(p, o->bytes + h->bytes, o->list + h->words + 1,
                              h->variables);
}

/* Launches as if the front had executed us with these words. */
static int
launch_request(struct incoming_request *o, struct prefork *r, int baton)
{
    int at = LAUNCH_REPORT_FD;

    (void)setpgid(0, 0);
    if (fchdir(o->fds[ZYGOTE_CWD]) < 0)
        return LAUNCH_FAILED;
    for (int i = 0; i <= at; i++) {
        if (dup2(o->fds[i], i) < 0)
            return LAUNCH_FAILED;
    }
    environ = o->list + o->head.words + 1;
    return launch_run_preforked((int)o->head.words, o->list, r, baton, true);
}

/* The zygote. */
struct zygote {
    pid_t front;
    const struct child_builtin *builtin;
    struct private_network network; /* the network namespace of its children */
};

/* Runs in the copy: preforks a child, sends its pid, receives a request and
 * launches. Until then it stays in our process group, by which the front
 * recognizes it. */
static int
serve_one(const struct zygote *w, int baton)
{
    CLEANUP(incoming_request_done)
    struct incoming_request o = {.fds = {-1, -1, -1, -1, -1}};
    CLEANUP(prefork_drop) struct prefork r = {.channel = -1, .mounts = -1};
    int32_t own = getpid();

    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != w->front)
        return 128 + SIGTERM;
    prefork_make(&r, &w->network, w->builtin, true);
    if (send(ZYGOTE_SOCKET, &own, sizeof(own), MSG_NOSIGNAL) != sizeof(own) ||
        !receive_request(&o))
        return 0;
    (void)!send(baton, "o", 1, MSG_NOSIGNAL); /* the zygote may have ended */
    return launch_request(&o, &r, baton);
}

/* Waits until the copy has a request. Returns false if it ended without one,
 * because the client is gone. */
static bool
await_request(int baton)
{
    char byte;

    return recv(baton, &byte, 1, 0) == 1;
}

/* Waits until the copy has ended, another request has come, or the copy has run
 * for long. After an end the front goes first, then we. */
static void
await_exit(int baton)
{
    struct pollfd fds[] = {{.fd = ZYGOTE_SOCKET, .events = POLLIN},
                           {.fd = baton, .events = POLLIN}};

    if (poll(fds, 2, LONG_MS) <= 0 || !fds[1].revents)
        return;
    (void)poll(fds, 1, TURN_MS);
}

static bool
serve_next(struct zygote *w)
{
    CLEANUP(fd_close_p) int ours = -1;
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return false;
    pid = namespaces_clone(CLONE_PARENT); /* it is the front's child */
    if (pid == 0) {
        close(ends[0]);
        _exit(serve_one(w, ends[1]));
    }
    ours = ends[0];
    close(ends[1]);
    if (pid < 0 || !await_request(ours))
        return false;
    await_exit(ours);
    return true;
}

int
zygote_serve(const struct child_builtin *builtin)
{
    struct zygote w = {getppid(), builtin, {-1, -1}};

    (void)prctl(PR_SET_NAME, PROCESS_LAUNCHER);
    private_network_make(&w.network);
    while (serve_next(&w))
        ;
    private_network_close(&w.network);
    return 0;
}
