/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_command.c - one command that runs, its streams and its end. */
#include "server/guest/guest_command.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/proc_end.h"
#include "base/pty.h"
#include "server/guest/guest_launch.h"
#include "server/guest/guest_orphans.h"
#include "tool/spawn.h"
#include "wire/sender.h"

#define INPUT_MAX (16u << 20) /* bytes that a command has not read yet */
#define TYPED_MAX (1u << 20)  /* pty_type queues no more */
#define LATE_MS   200         /* for the output of what was killed */

struct guest_command {
    struct guest_running running;
    struct guest_shared *shared;
    const struct guest_command_events *ev;
    void *arg;
    struct proc *proc;
    struct pty pty;                       /* descriptors -1: it has none */
    struct sender *input;                 /* NULL: closed, or a terminal */
    struct watch *streams[GUEST_STREAMS]; /* NULL: it has ended */
    struct watch *exited;                 /* NULL: it has been reaped */
    struct watch *limit;                  /* NULL: none */
    struct watch *ending;                 /* reports the end from the loop */
    int status, killed_by;
    bool confined; /* proc is the launcher, which ends all that it started */
    bool timed_out, closes_input, listed, paused;
    bool keys_wait; /* for the terminal to take them */
};

static void
list_command(struct guest_command *c)
{
    struct guest_running **first = &c->shared->running;

    c->running.next = *first;
    if (*first)
        (*first)->prev = &c->running;
    *first = &c->running;
    c->listed = true;
}

static void
unlist_command(struct guest_command *c)
{
    struct guest_running *r = &c->running;

    if (!c->listed)
        return;
    *(r->prev ? &r->prev->next : &c->shared->running) = r->next;
    if (r->next)
        r->next->prev = r->prev;
    c->listed = false;
}

static bool
is_running(const struct guest_command *c)
{
    return c->exited != NULL;
}

static void
check_command_end(struct guest_command *c)
{
    if (!is_running(c) && !c->streams[GUEST_STDOUT] &&
        !c->streams[GUEST_STDERR])
        watch_again(c->ending, 0);
}

static void
close_stream(struct guest_command *c, enum guest_stream which)
{
    watch_free(c->streams[which]);
    c->streams[which] = NULL;
    check_command_end(c);
}

static void
on_command_ended(void *arg, unsigned events)
{
    struct guest_command *c = arg;

    (void)events;
    c->ev->ended(c->arg);
}

/* Reads what is there, one buffer at most. */
static void
read_command_stream(struct guest_command *c, enum guest_stream which, int fd)
{
    char *bytes = read_buffer_borrow(c->shared->buffer, NULL);
    ssize_t n = bytes ? read(fd, bytes, READ_BUFFER_BYTES) : -1;
    bool ended = n == 0 ||
                 (n < 0 && bytes && errno != EINTR && errno != EAGAIN);

    if (n > 0)
        c->ev->output(c->arg, which, bytes, (size_t)n);
    if (bytes)
        read_buffer_give_back(c->shared->buffer, bytes);
    if (ended)
        close_stream(c, which);
}

static void
apply_events(struct guest_command *c)
{
    unsigned keys = c->keys_wait ? LOOP_WRITE : 0;

    for (int i = 0; i < GUEST_STREAMS; i++) {
        if (c->streams[i])
            watch_events(c->streams[i], (c->paused ? 0 : LOOP_READ) |
                                            (i == GUEST_STDOUT ? keys : 0));
    }
}

static void
type_keys(struct guest_command *c, const char *keys, size_t n)
{
    bool waited = c->keys_wait;

    c->keys_wait = !pty_type(&c->pty, keys, n);
    if (c->keys_wait != waited)
        apply_events(c);
}

static void
on_stdout(void *arg, unsigned events)
{
    struct guest_command *c = arg;

    if (events & LOOP_WRITE)
        type_keys(c, "", 0);
    if (c->paused || !(events & (LOOP_READ | LOOP_HUP)))
        return;
    read_command_stream(c, GUEST_STDOUT,
                        c->pty.master >= 0 ? c->pty.master
                                           : proc_fd(c->proc, 1));
}

static void
on_stderr(void *arg, unsigned events)
{
    struct guest_command *c = arg;

    (void)events;
    read_command_stream(c, GUEST_STDERR, proc_fd(c->proc, 2));
}

static void
on_exit_of_command(void *arg, unsigned events)
{
    struct guest_command *c = arg;
    struct err e = {0};

    (void)events;
    if (!c->timed_out)
        proc_keep_group(c->proc);
    if (proc_wait(c->proc, 0, &c->status, &e) != 0)
        return;
    c->killed_by = proc_killed_by(c->proc);
    watch_free(c->exited);
    c->exited = NULL;
    unlist_command(c);
    guest_orphans_note(c->shared->orphans, c->running.owner, c->running.pid,
                       c->timed_out);
    if (c->pty.master >= 0)
        pty_leave(&c->pty); /* so that the output has an end */
    check_command_end(c);
}

/* What holds the output open after it was killed is not waited for. */
static void
on_late(struct guest_command *c)
{
    for (int i = 0; i < GUEST_STREAMS; i++) {
        if (c->streams[i])
            close_stream(c, (enum guest_stream)i);
    }
}

static void
end_command(struct guest_command *c)
{
    proc_signal(c->proc, c->confined ? SIGTERM : SIGKILL);
    proc_signal(c->proc, SIGCONT);
}

static void
on_limit(void *arg, unsigned events)
{
    struct guest_command *c = arg;

    (void)events;
    if (c->timed_out) {
        if (is_running(c))
            proc_signal(c->proc, SIGKILL);
        on_late(c);
        return;
    }
    c->timed_out = true;
    if (is_running(c))
        end_command(c);
    guest_orphans_signal_group(c->shared->orphans, c->running.pid, SIGKILL);
    watch_again(c->limit,
                c->confined && is_running(c) ? SPAWN_END_MS : LATE_MS);
}

static void
on_input_state(void *arg, enum sender_state state)
{
    (void)arg;
    (void)state;
}

static void
on_input_written(void *arg)
{
    struct guest_command *c = arg;

    if (!c->closes_input)
        return;
    sender_free(c->input);
    c->input = NULL;
    proc_close_fd(c->proc, 0);
}

static int
watch_command(struct guest_command *c, const struct guest_command_spec *spec,
              struct err *e)
{
    struct loop *l = c->shared->loop;
    int out = c->pty.master >= 0 ? c->pty.master : proc_fd(c->proc, 1);

    if (!(c->streams[GUEST_STDOUT] = loop_fd(l, out, LOOP_READ, on_stdout, c,
                                             e)) ||
        !(c->exited = loop_fd(l, proc_pidfd(c->proc), LOOP_READ,
                              on_exit_of_command, c, e)) ||
        !(c->ending = loop_soon(l, on_command_ended, c, e)))
        return -1;
    watch_stop(c->ending);
    if (!spec->tty &&
        !(c->streams[GUEST_STDERR] = loop_fd(l, proc_fd(c->proc, 2), LOOP_READ,
                                             on_stderr, c, e)))
        return -1;
    if (proc_fd(c->proc, 0) >= 0 &&
        !(c->input = sender_new(l, proc_fd(c->proc, 0), INPUT_MAX,
                                on_input_state, c, e)))
        return -1;
    if (spec->timeout_ms > 0 &&
        !(c->limit = loop_timer(l, spec->timeout_ms, on_limit, c, e)))
        return -1;
    return 0;
}

struct guest_command *
guest_command_start(struct guest_shared *sh, uint64_t owner,
                    const struct guest_command_spec *spec,
                    const struct guest_command_events *ev, void *arg,
                    struct err *e)
{
    CLEANUP(guest_command_free_p)
    struct guest_command *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->shared = sh;
    c->running.owner = owner;
    c->ev = ev;
    c->arg = arg;
    c->pty = (struct pty){.master = -1, .slave = -1};
    buf_init(&c->pty.keys, 0);
    c->confined = spec->settings->setup != NULL;
    if (!(c->proc = guest_launch(sh, owner, spec, &c->pty, e)))
        return NULL;
    c->running.pid = proc_pid(c->proc);
    list_command(c);
    return watch_command(c, spec, e) < 0 ? NULL : TAKE_PTR(c);
}

/* The launcher puts back what is protected before it ends. */
static void
free_process(struct guest_command *c, bool running)
{
    struct err e = {0};

    if (!c->confined || !running ||
        proc_end_later(c->shared->loop, c->proc, 0, SPAWN_END_MS, &e) < 0)
        proc_free(c->proc);
}

void
guest_command_free(struct guest_command *c)
{
    bool running, ran;

    if (!c)
        return;
    running = is_running(c);
    ran = c->listed && !c->confined;
    for (int i = 0; i < GUEST_STREAMS; i++)
        watch_free(c->streams[i]);
    watch_free(c->exited);
    watch_free(c->limit);
    watch_free(c->ending);
    sender_free(c->input);
    free_process(c, running);
    pty_close(&c->pty);
    unlist_command(c);
    if (ran)
        guest_orphans_note(c->shared->orphans, c->running.owner, c->running.pid,
                           true);
    free(c);
}

int
guest_command_status(const struct guest_command *c)
{
    return c->killed_by ? -1 : c->status;
}

int
guest_command_killed_by(const struct guest_command *c)
{
    return c->killed_by;
}

bool
guest_command_timed_out(const struct guest_command *c)
{
    return c->timed_out;
}

pid_t
guest_command_pid(const struct guest_command *c)
{
    return c->running.pid;
}

void
guest_command_pause(struct guest_command *c, bool paused)
{
    if (c->paused == paused)
        return;
    c->paused = paused;
    apply_events(c);
}

int
guest_command_input(struct guest_command *c, const char *bytes, size_t n,
                    struct err *e)
{
    if (c->pty.master >= 0 && is_running(c)) {
        if (n > TYPED_MAX - c->pty.keys.len)
            return err_set(e, ERR_NOMEM, "it has not read what was typed yet");
        type_keys(c, bytes, n);
        return 0;
    }
    if (!c->input || c->closes_input)
        return err_set(e, ERR_NOT_FOUND, "its input is closed");
    if (n > sender_room(c->input))
        return err_set(e, ERR_NOMEM, "it has not read %u MiB of its input yet",
                       INPUT_MAX >> 20);
    sender_add(c->input, bytes, n);
    return 0;
}

void
guest_command_close_input(struct guest_command *c)
{
    static const char end_of_file = 4; /* as in a new terminal's modes */

    if (c->pty.master >= 0) {
        type_keys(c, &end_of_file, 1);
        return;
    }
    if (!c->input || c->closes_input)
        return;
    c->closes_input = true;
    if (sender_is_empty(c->input))
        on_input_written(c);
    else
        sender_on_empty(c->input, on_input_written, c);
}

int
guest_command_resize(struct guest_command *c, const struct winsize *size,
                     struct err *e)
{
    if (c->pty.master < 0)
        return err_set(e, ERR_INVALID, "it has no terminal");
    if (ioctl(c->pty.master, TIOCSWINSZ, size) < 0)
        return err_sys(e, "the size of its terminal");
    return 0;
}

void
guest_command_signal(struct guest_command *c, int signo)
{
    if (is_running(c) && c->confined)
        spawn_signal(c->proc, signo);
    else if (is_running(c))
        proc_signal(c->proc, signo);
    else
        guest_orphans_signal_group(c->shared->orphans, c->running.pid, signo);
}
