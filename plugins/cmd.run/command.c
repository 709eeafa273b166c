/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - bash on a command line, its pipes or its terminal drained as they
 * fill. */
#include "plugins/cmd.run/command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/loop.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/pty.h"
#include "base/utf8.h"

#define READ_BYTES   65536
#define ARGS_MAX     64  /* words of a program that is executed by itself */
#define LEFTOVERS_MS 200 /* for what was written just before the end */
#define TTY_ROWS     24  /* of a terminal, as ever */
#define TTY_COLUMNS  80
#define TTY_TYPE     "TERM=xterm" /* where the environment names none */

/* A run under way: what the loop's callbacks share. */
struct run {
    struct loop *loop;
    struct proc *child;
    const struct request *request;
    struct command_end *end;
    int fd[2];              /* stdout and stderr; borrowed */
    struct watch *watch[2]; /* of these; NULL after their end */
    struct pty pty;         /* with a terminal: its master is fd[0] */
    const char *typed;      /* what is still to be typed on it */
    size_t typed_len;
    bool ended; /* the shell itself */
    bool gone;  /* nobody reads our answers any more */
};

static void
stream_init(struct stream_out *s, const char *name)
{
    *s = (struct stream_out){.name = name};
    buf_init(&s->kept, REPLY_TEXT_MAX);
    buf_init(&s->partial, READ_BYTES + 4);
}

void
command_end_done(struct command_end *end)
{
    buf_done(&end->out.kept);
    buf_done(&end->out.partial);
    buf_done(&end->err.kept);
    buf_done(&end->err.partial);
}

/* Streaming keeps the tail; else the beginning is kept. */
static void
keep(struct stream_out *s, const char *p, size_t n, bool tail)
{
    size_t room;

    s->total += n;
    if (tail && s->kept.len + n > REPLY_TEXT_MAX) {
        buf_drop(&s->kept, s->kept.len - s->kept.len / 16);
        s->truncated = true;
    }
    room = s->kept.max - s->kept.len;
    s->truncated |= n > room;
    buf_add(&s->kept, p, n < room ? n : room);
}

/* Sends whole characters; the rest waits for the bytes that complete it. */
static void
stream(struct run *run, struct stream_out *s, const char *p, size_t n)
{
    size_t cut;

    buf_add(&s->partial, p, n);
    cut = n ? utf8_incomplete_tail(s->partial.p, s->partial.len) : 0;
    n = s->partial.len - cut;
    if (n > 0 && reply_event(run->request, s->name, s->partial.p, n, NULL) < 0)
        run->gone = true;
    buf_drop(&s->partial, n);
}

static void
take_bytes(struct run *run, int which)
{
    struct stream_out *s = which == 1 ? &run->end->out : &run->end->err;
    char bytes[READ_BYTES];
    ssize_t n = read(run->fd[which - 1], bytes, sizeof(bytes));

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        keep(s, bytes, (size_t)n, run->request->stream);
    if (run->request->stream)
        stream(run, s, bytes, n > 0 ? (size_t)n : 0);
    if (n <= 0) {
        watch_free(run->watch[which - 1]);
        run->watch[which - 1] = NULL;
    }
}

/* Types what there is room for, and in the end the key that means the end of
 * the input: twice, since the first only ends a line without a newline. */
static void
type_input(struct run *run)
{
    static const char ends[] = {CEOF, CEOF};
    const size_t piece = 1024; /* of the lines that the kernel has room for */

    while (run->pty.keys.len == 0 && run->typed) {
        size_t n = run->typed_len < piece ? run->typed_len : piece;
        bool line = n == 0 || run->typed[n - 1] == '\n';

        (void)pty_type(&run->pty, run->typed, n);
        run->typed += n;
        run->typed_len -= n;
        if (run->typed_len > 0)
            continue;
        (void)pty_type(&run->pty, ends, line ? 1 : 2);
        run->typed = NULL;
    }
    if (run->pty.keys.len > 0)
        (void)pty_type(&run->pty, "", 0);
}

static void
on_terminal(void *arg, unsigned events)
{
    struct run *run = arg;

    if (events & LOOP_WRITE)
        type_input(run);
    if (events & (LOOP_READ | LOOP_HUP))
        take_bytes(run, 1);
    if (run->watch[0] && !run->typed && run->pty.keys.len == 0)
        watch_events(run->watch[0], LOOP_READ);
}

static void
on_stdout(void *arg, unsigned events)
{
    (void)events;
    take_bytes(arg, 1);
}

static void
on_stderr(void *arg, unsigned events)
{
    (void)events;
    take_bytes(arg, 2);
}

static void
on_child(void *arg, unsigned events)
{
    struct run *run = arg;

    (void)events;
    (void)proc_wait(run->child, 0, &run->end->exit_code, NULL);
    run->ended = true;
    pty_leave(&run->pty);
}

static void
on_deadline(void *arg, unsigned events)
{
    struct run *run = arg;

    (void)events;
    run->end->timed_out = true;
    proc_signal(run->child, SIGKILL);
}

/* The words of a program that no shell reads; -1: there are too many. */
static int
read_words(const struct json *list, const char *words[ARGS_MAX + 1],
           struct err *e)
{
    size_t n = 0, len;

    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        if (n == ARGS_MAX)
            return err_set(e, ERR_INVALID, "argv has over %d words", ARGS_MAX);
        words[n++] = json_str(v, &len);
    }
    words[n] = NULL;
    return 0;
}

/* A file in memory that holds the input, to be read from its beginning. */
static int
open_input(const struct json *input, struct err *e)
{
    size_t n = 0;
    const char *text = json_str(input, &n);
    CLEANUP(fd_close_p) int fd = memfd_create("input", MFD_CLOEXEC);

    if (fd < 0 || fd_write_all(fd, text, n, -1, e) < 0 ||
        lseek(fd, 0, SEEK_SET) < 0)
        return err_sys(e, "the input");
    return TAKE_FD(fd);
}

/* Our environment with what is added to it; the list is the caller's to free.
 * NULL: there is no memory. */
static const char **
environment(const struct command *c, struct err *e)
{
    const struct environ_given *given = &c->env;
    bool has_type = !c->tty || environ_given_has(given, TTY_TYPE);
    size_t n = 0, kept = 0;
    const char **list;

    while (environ[n])
        n++;
    list = calloc(n + given->n + 2, sizeof(*list));
    if (!list) {
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!environ_given_has(given, environ[i]))
            list[kept++] = environ[i];
        has_type |= strncmp(environ[i], "TERM=", 5) == 0;
    }
    for (size_t i = 0; i < given->n; i++)
        list[kept++] = given->list[i];
    if (!has_type)
        list[kept++] = TTY_TYPE;
    return list;
}

/* Gives the command a terminal, on which the input will be typed. */
static int
open_terminal(struct run *run, const struct command *c, struct proc_spec *spec,
              struct err *e)
{
    static const struct winsize size = {.ws_row = TTY_ROWS,
                                        .ws_col = TTY_COLUMNS};
    struct err why = {0};

    run->typed = c->input ? json_str(c->input, &run->typed_len) : "";
    if (pty_open(&run->pty, &size, NULL, &why) < 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "args.tty: no terminal can be made here: %s", why.text);
    for (int i = 0; i < 3; i++)
        spec->fds[i] = run->pty.slave;
    spec->foreground = false;
    spec->session = true;
    return 0;
}

static struct proc *
start(struct run *run, const struct command *c, struct err *e)
{
    const char *bash = path_bash();
    const char *const with_bash[] = {bash, "--noprofile", "--norc",
                                     "-c", c->text,       NULL};
    const char *const with_sh[] = {"/bin/sh", "-c", c->text, NULL};
    const char *words[ARGS_MAX + 1];
    CLEANUP(free_p) const char **envp = environment(c, e);
    CLEANUP(fd_close_p) int input = -1;
    struct proc_spec spec = {
        .argv = c->argv ? words
                : bash  ? with_bash
                        : with_sh,
        .envp = envp,
        .cwd = c->directory,
        .fds = {PROC_NULL, PROC_PIPE, PROC_PIPE},
        .pass_fd = -1,
        /* in our group, so that Ctrl-Z stops it with us; what leaves the
         * group comes to us when its parent ends, and is ended with it */
        .foreground = true,
        .adopt = true,
    };

    if (!envp || (c->argv && read_words(c->argv, words, e) < 0))
        return NULL;
    if (c->tty
            ? open_terminal(run, c, &spec, e) < 0
            : c->input && (spec.fds[0] = input = open_input(c->input, e)) < 0)
        return NULL;
    return proc_start(&spec, e);
}

static int
watch_pipes(struct run *run, struct err *e)
{
    static loop_cb *const on_output[] = {on_stdout, on_stderr};

    for (int i = 0; i < 2; i++) {
        run->fd[i] = proc_fd(run->child, i + 1);
        if (fd_set_nonblock(run->fd[i], true, e) < 0)
            return -1;
        run->watch[i] = loop_fd(run->loop, run->fd[i], LOOP_READ, on_output[i],
                                run, e);
        if (!run->watch[i])
            return -1;
    }
    return 0;
}

static int
watch_terminal(struct run *run, struct err *e)
{
    run->fd[0] = run->pty.master;
    run->watch[0] = loop_fd(run->loop, run->fd[0], LOOP_READ | LOOP_WRITE,
                            on_terminal, run, e);
    return run->watch[0] ? 0 : -1;
}

static int
watch_all(struct run *run, struct watch **ended, struct err *e)
{
    bool tty = run->pty.master >= 0;

    if ((tty ? watch_terminal(run, e) : watch_pipes(run, e)) < 0)
        return -1;
    *ended = loop_fd(run->loop, proc_pidfd(run->child), LOOP_READ, on_child,
                     run, e);
    return *ended ? 0 : -1;
}

/* Until the shell has ended; then what is still in the pipes, unless
 * something that left the process group holds them open. */
static int
turn_until_end(struct run *run, struct watch *ended, struct err *e)
{
    int64_t until, left;

    while (!run->ended && !run->gone) {
        if (loop_turn(run->loop, -1, e) < 0)
            return -1;
    }
    watch_free(ended);
    until = clock_ms() + LEFTOVERS_MS;
    while ((run->watch[0] || run->watch[1]) && !run->gone &&
           (left = until - clock_ms()) > 0) {
        if (loop_turn(run->loop, (int)left, e) < 0)
            return -1;
    }
    return 0;
}

int
command_run(const struct command *c, const struct request *r,
            struct command_end *end, struct err *e)
{
    CLEANUP(loop_free_p) struct loop *loop = loop_new(e);
    CLEANUP(proc_free_p) struct proc *child = NULL;
    struct run run = {.loop = loop,
                      .request = r,
                      .end = end,
                      .pty = {.master = -1, .slave = -1}};
    struct watch *ended = NULL;
    int rc = -1;

    *end = (struct command_end){.exit_code = -1};
    stream_init(&end->out, "stdout");
    stream_init(&end->err, "stderr");
    if (loop && (child = start(&run, c, e))) {
        run.child = child;
        if (watch_all(&run, &ended, e) == 0 &&
            (c->timeout_ms < 0 ||
             loop_timer(loop, c->timeout_ms, on_deadline, &run, e)))
            rc = turn_until_end(&run, ended, e);
    }
    watch_free(run.watch[0]);
    watch_free(run.watch[1]);
    pty_close(&run.pty);
    return rc;
}
