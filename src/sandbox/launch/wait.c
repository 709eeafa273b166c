/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.c - a launcher that is there before it is needed. */
#include "sandbox/launch/wait.h"

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/launch.h"

#define EXIT_SANDBOX 125

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

/* In the copy: as if the front had executed us with these words. */
static int
launch(struct order *o, pid_t front)
{
    int at = LAUNCH_REPORT_FD;

    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != front)
        return 128 + SIGTERM;
    (void)setpgid(0, 0);
    if (fchdir(o->fds[WAIT_CWD]) < 0)
        return EXIT_SANDBOX;
    for (int i = 0; i <= at; i++) {
        if (dup2(o->fds[i], i) < 0)
            return EXIT_SANDBOX;
    }
    environ = o->list + o->head.words + 1;
    return launch_words((int)o->head.words, o->list, true);
}

static pid_t
copy(void)
{
    struct clone_args args = {.flags = CLONE_PARENT};

    return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

int
wait_serve(void)
{
    pid_t front = getppid();

    for (;;) {
        CLEANUP(order_done)
        struct order o = {.fds = {-1, -1, -1, -1, -1}};
        int32_t answer;

        if (!read_order(&o))
            return 0;
        answer = copy();
        if (answer == 0)
            return launch(&o, front);
        if (answer < 0)
            answer = -errno;
        if (send(WAIT_SOCKET, &answer, sizeof(answer), MSG_NOSIGNAL) !=
            sizeof(answer))
            return 0;
    }
}
