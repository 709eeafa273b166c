/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zygote_client.c - the front's side of a launcher that was started early. */
#include "sandbox/launch/zygote_client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "sandbox/launch/zygote.h"

#define ANSWER_MS 2000 /* milliseconds; the zygote only forks */

struct zygote_client {
    struct proc *proc;
    int socket;
    bool used; /* a copy with a request is in its group until it starts */
};

struct zygote_client *
zygote_client_new(const char *program, struct err *e)
{
    static const char *const none[] = {NULL};
    CLEANUP(zygote_client_free_p)
    struct zygote_client *s = calloc(1, sizeof(*s));
    CLEANUP(fd_close_p) int theirs = -1;
    const char *const argv[] = {program, "--wait", NULL};
    struct proc_spec spec = {.argv = argv,
                             .envp = none,
                             .cwd = "/",
                             .fds = {PROC_NULL, PROC_NULL, PROC_NULL}};
    int ends[2];

    if (!s) {
        err_sys(e, "launcher");
        return NULL;
    }
    s->socket = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        err_sys(e, "launcher");
        return NULL;
    }
    s->socket = ends[0];
    spec.pass_fd = theirs = ends[1];
    if (fd_set_nonblock(s->socket, true, e) < 0)
        return NULL;
    s->proc = proc_start(&spec, e);
    return s->proc ? TAKE_PTR(s) : NULL;
}

struct outgoing_request {
    struct zygote_request head;
    int theirs[ZYGOTE_FDS]; /* the report and the directory are the caller's */
    int ours[3];
};

static void
outgoing_request_done(struct outgoing_request *o)
{
    o->theirs[ZYGOTE_REPORT] = o->theirs[ZYGOTE_CWD] = -1;
    for (int i = 0; i < ZYGOTE_FDS; i++)
        fd_close_p(&o->theirs[i]);
    for (int i = 0; i < 3; i++)
        fd_close_p(&o->ours[i]);
}

static int
request_init(struct outgoing_request *o, int dir, int report, struct err *e)
{
    *o = (struct outgoing_request){.theirs = {-1, -1, -1, report, dir},
                                   .ours = {-1, -1, -1}};
    for (int i = 0; i < 3; i++) {
        int fds[2];

        if (fd_pipe(fds, e) < 0)
            return -1;
        o->theirs[i] = fds[i == 0 ? 0 : 1];
        o->ours[i] = fds[i == 0 ? 1 : 0];
    }
    return 0;
}

static int
send_head(const struct zygote_client *s, const struct outgoing_request *o,
          struct err *e)
{
    char control[CMSG_SPACE(sizeof(o->theirs))] = {0};
    struct zygote_request head = o->head;
    struct iovec io = {&head, sizeof(head)};
    struct msghdr msg = {
        .msg_iov = &io,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(o->theirs));
    memcpy(CMSG_DATA(c), o->theirs, sizeof(o->theirs));
    if (sendmsg(s->socket, &msg, MSG_NOSIGNAL) != sizeof(head))
        return err_sys(e, "launcher");
    return 0;
}

/* Returns the child's pid; -1: the zygote reports an error, or does not
 * answer. */
static pid_t
receive_pid(const struct zygote_client *s, struct err *e)
{
    struct pollfd pfd = {.fd = s->socket, .events = POLLIN};
    int32_t answer = 0;
    int rc;

    do
        rc = poll(&pfd, 1, ANSWER_MS);
    while (rc < 0 && errno == EINTR);
    if (rc <= 0 || recv(s->socket, &answer, sizeof(answer), MSG_WAITALL) !=
                       (ssize_t)sizeof(answer))
        return (pid_t)err_set(e, ERR_SANDBOX, "the launcher does not respond");
    if (answer > 0)
        return answer;
    errno = -answer;
    return (pid_t)err_sys(e, "launcher");
}

/* Ends the zygote, and its copy that waits for a request, which is our
 * child. */
static void
end_zygote(const struct zygote_client *s)
{
    struct pollfd pfd = {.fd = s->socket, .events = POLLIN};
    int32_t pid = 0;

    if (!s->used)
        proc_signal(s->proc, SIGKILL);
    (void)shutdown(s->socket, SHUT_WR);
    while (poll(&pfd, 1, ANSWER_MS) > 0 &&
           recv(s->socket, &pid, sizeof(pid), 0) == (ssize_t)sizeof(pid))
        continue;
    if (pid > 0)
        (void)kill(pid, SIGKILL); /* it may have been stopped */
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

void
zygote_client_free(struct zygote_client *s)
{
    if (!s)
        return;
    if (s->proc && s->socket >= 0)
        end_zygote(s);
    proc_free(s->proc);
    fd_close_p(&s->socket);
    free(s);
}

/* Sends the request and receives the pid. After a failure the socket is closed:
 * a late answer would be taken for that of the next request. */
static pid_t
send_zygote_request(struct zygote_client *s, const struct outgoing_request *o,
                    const struct buf *bytes, struct err *e)
{
    pid_t pid = -1;

    if (s->socket < 0)
        return (pid_t)err_set(e, ERR_SANDBOX, "the launcher failed before");
    s->used = true;
    if (send_head(s, o, e) == 0 &&
        fd_write_all(s->socket, bytes->p, bytes->len, ANSWER_MS, e) == 0)
        pid = receive_pid(s, e);
    if (pid < 0) {
        fd_close_p(&s->socket);
        s->socket = -1;
    }
    return pid;
}

static int
add_request_strings(const struct buf *words, const char *const *variables,
                    struct outgoing_request *o, struct buf *out, struct err *e)
{
    buf_add(out, words->p, words->len);
    for (; *variables; variables++, o->head.variables++)
        buf_add(out, *variables, strlen(*variables) + 1);
    o->head.bytes = (uint32_t)out->len;
    return buf_ok(out, "the launcher's words", e);
}

struct proc *
zygote_client_start(struct zygote_client *s, const struct buf *words, size_t n,
                    const char *const *variables, int dir, int report,
                    struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(ZYGOTE_BYTES_MAX);
    CLEANUP(outgoing_request_done) struct outgoing_request o;
    struct proc *p;
    pid_t pid;

    if (request_init(&o, dir, report, e) < 0)
        return NULL;
    o.head.words = (uint32_t)n;
    if (add_request_strings(words, variables, &o, &bytes, e) < 0 ||
        (pid = send_zygote_request(s, &o, &bytes, e)) < 0)
        return NULL;
    p = proc_take(pid, o.ours, e);
    for (int i = 0; p && i < 3; i++)
        o.ours[i] = -1;
    return p;
}
