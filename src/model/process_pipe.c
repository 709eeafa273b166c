/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_pipe.c - starts the model process and exchanges lines with it. */
#include "model/process_pipe.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "base/linebuf.h"
#include "base/path.h"
#include "base/proc.h"
#include "model/ipc.h"

#define PROGRAM_NAME "agentsh-model"
#define REAP_MS      60 /* from the end of its output to its exit */

struct process_pipe {
    struct proc *proc;
    struct watch *reading, *writing;
    struct linebuf *in;
    struct buf out; /* queued: the pipe has not taken it yet */
    struct process_pipe_events ev;
    void *arg;
    bool in_callback, freed; /* freed: by that callback */
};

void
process_pipe_free(struct process_pipe *p)
{
    if (!p)
        return;
    watch_free(p->reading);
    watch_free(p->writing);
    linebuf_free(p->in);
    buf_done(&p->out);
    proc_free(p->proc);
    p->freed = true;
    if (!p->in_callback)
        free(p);
}

/* Writes without SIGPIPE: a model process that has ended is an error here and
 * must not end the front, whatever the front does about its own pipes. */
static ssize_t
write_no_sigpipe(int fd, const void *bytes, size_t n)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    ssize_t rc;
    int sys;

    sigaction(SIGPIPE, &ignore, &before);
    rc = write(fd, bytes, n);
    sys = errno;
    sigaction(SIGPIPE, &before, NULL);
    errno = sys;
    return rc;
}

static void
on_writable(void *arg, unsigned events)
{
    struct process_pipe *p = arg;
    ssize_t n = write_no_sigpipe(proc_fd(p->proc, 0), p->out.p, p->out.len);

    (void)events;
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        n = (ssize_t)p->out.len; /* it has ended: the read side will notice */
    if (n > 0)
        buf_drop(&p->out, (size_t)n);
    watch_events(p->writing, p->out.len > 0 ? LOOP_WRITE : 0);
}

static void
on_readable(void *arg, unsigned events)
{
    struct process_pipe *p = arg;
    struct err e = {0};
    const char *line;
    size_t len;
    int status = 0;
    long n = linebuf_read(p->in, proc_fd(p->proc, 1), &e);

    (void)events;
    if (n < 0 && e.sys == EAGAIN)
        return;
    p->in_callback = true;
    while (n > 0 && !p->freed && (line = linebuf_next(p->in, &len)) != NULL)
        p->ev.line(p->arg, line, len);
    p->in_callback = false;
    if (p->freed) {
        free(p);
        return;
    }
    if (n > 0)
        return;
    (void)proc_wait(p->proc, REAP_MS, &status, NULL);
    p->ev.gone(p->arg, status);
}

/* The variables that the process inherits: proxies, certificates, name
 * resolution, and what sanitizer builds need. No API key is among them. */
static const char *const passed_variables[] = {
    "http_proxy",   "https_proxy",   "HTTPS_PROXY",  "all_proxy",
    "ALL_PROXY",    "no_proxy",      "NO_PROXY",     "SSL_CERT_FILE",
    "SSL_CERT_DIR", "RES_OPTIONS",   "LOCALDOMAIN",  "OPENSSL_CONF",
    "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH",
};

#define N_PASSED ARRAY_SIZE(passed_variables)

static const char *
environ_entry(const char *name)
{
    size_t n = strlen(name);

    for (char **p = environ; *p; p++) {
        if (strncmp(*p, name, n) == 0 && (*p)[n] == '=')
            return *p;
    }
    return NULL;
}

static struct proc *
start_process(struct err *e)
{
    CLEANUP(free_p) char *path = path_libexec(PROGRAM_NAME, e);
    const char *envp[N_PASSED + 1], *argv[] = {path, NULL};
    struct proc_spec spec = {.argv = argv,
                             .envp = envp,
                             .cwd = "/",
                             .fds = {PROC_PIPE, PROC_PIPE, PROC_INHERIT},
                             .pass_fd = -1};
    struct proc *p;
    size_t n = 0;

    if (!path)
        return NULL;
    for (size_t i = 0; i < N_PASSED; i++) {
        const char *entry = environ_entry(passed_variables[i]);

        if (entry)
            envp[n++] = entry;
    }
    envp[n] = NULL;
    p = proc_start(&spec, e);
    if (!p)
        err_wrap(e, "the model process");
    return p;
}

struct process_pipe *
process_pipe_start(struct loop *l, const struct process_pipe_events *ev,
                   void *arg, struct err *e)
{
    CLEANUP(process_pipe_free_p) struct process_pipe *p = calloc(1, sizeof(*p));

    if (!p) {
        err_sys(e, "model");
        return NULL;
    }
    p->ev = *ev;
    p->arg = arg;
    p->out = buf_of_secret(IPC_LINE_MAX); /* a query holds the key */
    p->in = linebuf_new(2 * IPC_EVENT_MAX, e);
    p->proc = p->in ? start_process(e) : NULL;
    if (!p->proc || fd_set_nonblock(proc_fd(p->proc, 0), true, e) < 0 ||
        fd_set_nonblock(proc_fd(p->proc, 1), true, e) < 0)
        return NULL;
    p->reading = loop_fd(l, proc_fd(p->proc, 1), LOOP_READ, on_readable, p, e);
    p->writing = loop_fd(l, proc_fd(p->proc, 0), 0, on_writable, p, e);
    return p->reading && p->writing ? TAKE_PTR(p) : NULL;
}

int
process_pipe_send(struct process_pipe *p, const struct buf *lines,
                  struct err *e)
{
    if (p->out.max - p->out.len < lines->len)
        return err_set(e, ERR_INVALID,
                       "too much data is queued for the model process");
    buf_add(&p->out, lines->p, lines->len);
    if (buf_ok(&p->out, "the question", e) < 0)
        return -1;
    on_writable(p, LOOP_WRITE);
    return 0;
}
