/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warm_process.c - one model process that a shell keeps between questions. */
#include "model/warm_process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/proc.h"
#include "model/process_start.h"

#define VARIABLES_MAX (64u << 10) /* a handful of variables */
#define LENT_FD       3           /* proc_spec.pass_fd */

struct warm_process {
    struct loop *loop;
    int ours;             /* the end that is lent; -1: there is no socket */
    int other;            /* the process's end, until it is started; else -1 */
    struct watch *needed; /* the other end has something to read */
    struct proc *proc;    /* NULL: not started yet */
    struct watch *ended, *idle;
    struct buf variables; /* what the process gets of the environment */
};

struct warm_process *
warm_process_new(struct loop *l, struct err *e)
{
    struct warm_process *w = calloc(1, sizeof(*w));

    if (!w) {
        err_sys(e, "model process");
        return NULL;
    }
    w->loop = l;
    w->ours = w->other = -1;
    buf_init(&w->variables, VARIABLES_MAX);
    return w;
}

/* Ends the process and forgets the socket. */
static void
end_process(struct warm_process *w)
{
    watch_free(w->needed);
    watch_free(w->ended);
    watch_free(w->idle);
    w->needed = w->ended = w->idle = NULL;
    proc_free(w->proc);
    w->proc = NULL;
    fd_close_p(&w->ours);
    fd_close_p(&w->other);
    w->ours = w->other = -1;
}

void
warm_process_free(struct warm_process *w)
{
    if (!w)
        return;
    end_process(w);
    buf_done(&w->variables);
    free(w);
}

static void
on_ended(void *arg, unsigned events)
{
    (void)events;
    end_process(arg);
}

/* The entries of w->variables as a vector, which the caller frees. */
static const char **
list_variables(const struct warm_process *w)
{
    const struct buf *b = &w->variables;
    const char **env;
    size_t n = 0;

    for (size_t at = 0; at < b->len; at += strlen(b->p + at) + 1)
        n++;
    env = calloc(n + 1, sizeof(*env));
    n = 0;
    for (size_t at = 0; env && at < b->len; at += strlen(b->p + at) + 1)
        env[n++] = b->p + at;
    return env;
}

/* A borrower wrote: only now the process is needed. */
static void
on_needed(void *arg, unsigned events)
{
    struct warm_process *w = arg;
    CLEANUP(free_p) const char **env = list_variables(w);

    watch_free(w->needed);
    w->needed = NULL;
    if (env && !(events & LOOP_HUP))
        w->proc = process_start(env, w->other, NULL);
    fd_close_p(&w->other);
    w->other = -1;
    if (w->proc)
        w->ended = loop_fd(w->loop, proc_pidfd(w->proc), LOOP_READ, on_ended, w,
                           NULL);
    if (!w->ended)
        end_process(w); /* the borrower finds the socket closed */
}

static int
open_socket(struct warm_process *w, struct err *e)
{
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
        return err_sys(e, "model process");
    w->ours = fds[0];
    w->other = fds[1];
    w->needed = loop_fd(w->loop, w->other, LOOP_READ, on_needed, w, e);
    return w->needed ? 0 : -1;
}

int
warm_process_share(struct warm_process *w, const char *const *env,
                   struct err *e)
{
    CLEANUP_BUF struct buf now = buf_of(VARIABLES_MAX);

    watch_free(w->idle);
    w->idle = NULL;
    process_start_variables(env, &now);
    if (buf_ok(&now, "proxies", e) < 0)
        return -1;
    if (now.len != w->variables.len ||
        memcmp(now.p, w->variables.p, now.len) != 0)
        end_process(w);
    buf_clear(&w->variables);
    buf_add(&w->variables, now.p, now.len);
    if (w->variables.bad || (w->ours < 0 && open_socket(w, e) < 0)) {
        end_process(w);
        return -1;
    }
    return w->ours;
}

static void
on_idle(void *arg, unsigned events)
{
    (void)events;
    end_process(arg);
}

void
warm_process_take_back(struct warm_process *w, bool killed)
{
    if (killed || !w->proc) {
        end_process(w);
        return;
    }
    w->idle = loop_timer(w->loop, WARM_PROCESS_IDLE_MS, on_idle, w, NULL);
    if (!w->idle)
        end_process(w);
}

/* Whether our parent made the socket, as a shell that lends one does: the
 * variable may be a copy that somebody else left in the environment. */
static bool
is_from_parent(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.pid == getppid() && peer.uid == geteuid();
}

int
warm_process_borrow(void)
{
    const char *value = getenv(WARM_PROCESS_VARIABLE);
    bool lent = value && strcmp(value, "3") == 0 && is_from_parent(LENT_FD);

    (void)unsetenv(WARM_PROCESS_VARIABLE);
    if (!lent || fd_set_cloexec(LENT_FD, true, NULL) < 0)
        return -1;
    return LENT_FD;
}
