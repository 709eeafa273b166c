/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_process.c - the process of an agent: its lines, its end. */
#include "server/agentctl/agentctl_process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "sandbox/launch/launch.h"
#include "sandbox/spec.h"
#include "server/agentctl/agentctl_message.h"
#include "server/agentctl/agentctl_settings.h"
#include "server/agentctl/agentctl_words.h"
#include "tool/spawn.h"
#include "wire/line_reader.h"
#include "wire/sender.h"

#define ERROR_LINE_MAX (64u << 10) /* bytes of a line of standard error */
/* What the agent has not read: a largest message, and some behind it. */
#define INPUT_MAX (AGENTCTL_MESSAGE_MAX + (8u << 20))
#define LEAVE_MS  500  /* after the end of its input */
#define TERM_MS   1000 /* after SIGTERM */
#define LATE_MS   200  /* for output, when all have ended that could write */
#define STREAMS   2
/* From behind the name on: the state, and the time in two ways; proc(5). */
#define STAT_FORMAT ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu"
#define WORDS_BYTES (2u * AGENTCTL_COMMAND_MAX)

enum process_phase { RUNNING, LEAVING, TERMINATED, KILLED };

struct process_stream {
    struct agentctl_process *process;
    struct line_reader *reader; /* NULL: it has ended */
};

struct agentctl_process {
    const struct agentctl_process_events *ev;
    void *arg;
    struct proc *proc;
    struct sender *input; /* NULL: closed */
    struct process_stream streams[STREAMS];
    struct watch *exited; /* NULL: it has been reaped */
    struct watch *timer;  /* the next step of the end */
    struct watch *ending; /* reports the end from the loop */
    enum process_phase phase;
    bool paused, stopped;
    pid_t pid;           /* the agent's own; 0: not known yet */
    unsigned long ticks; /* of a processor, when it was last asked; ~0: no one
                            has, or it did not wait then */
    int status, killed_by;
};

static enum agentctl_stream
stream_of(const struct process_stream *s)
{
    return s == s->process->streams ? AGENTCTL_STDOUT : AGENTCTL_STDERR;
}

static void
check_process_end(struct agentctl_process *p)
{
    if (!p->exited && !p->streams[0].reader && !p->streams[1].reader)
        watch_again(p->ending, 0);
}

static void
on_process_ended(void *arg, unsigned events)
{
    struct agentctl_process *p = arg;

    (void)events;
    p->ev->ended(p->arg);
}

static void
close_agent_input(struct agentctl_process *p)
{
    if (!p->input)
        return;
    sender_free(p->input);
    p->input = NULL;
    proc_close_fd(p->proc, 0);
}

/* The next step towards the end of a process that should be gone. */
static void
step_process_end(struct agentctl_process *p)
{
    switch (p->phase) {
    case RUNNING:
        p->phase = LEAVING;
        close_agent_input(p);
        watch_again(p->timer, LEAVE_MS);
        break;
    case LEAVING:
        p->phase = TERMINATED;
        spawn_signal(p->proc, SIGTERM);
        spawn_signal(p->proc, SIGCONT);
        watch_again(p->timer, TERM_MS);
        break;
    case TERMINATED: /* the launcher kills all that it started */
        p->phase = KILLED;
        proc_signal(p->proc, SIGTERM);
        watch_again(p->timer, TERM_MS);
        break;
    case KILLED:
        proc_signal(p->proc, SIGKILL);
        break;
    }
}

/* What holds the output open now is not ours, and is not waited for. */
static void
close_late_streams(struct agentctl_process *p)
{
    for (size_t i = 0; i < STREAMS; i++) {
        line_reader_free(p->streams[i].reader);
        p->streams[i].reader = NULL;
    }
    check_process_end(p);
}

static void
on_process_timer(void *arg, unsigned events)
{
    struct agentctl_process *p = arg;

    (void)events;
    if (p->exited)
        step_process_end(p);
    else if (p->paused)
        watch_again(p->timer, LATE_MS);
    else
        close_late_streams(p);
}

static void
on_exit_of_process(void *arg, unsigned events)
{
    struct agentctl_process *p = arg;
    struct err e = {0};

    (void)events;
    if (proc_wait(p->proc, 0, &p->status, &e) != 0)
        return;
    p->killed_by = proc_killed_by(p->proc);
    if (p->phase == KILLED) { /* by the launcher, whose own status this is */
        p->killed_by = SIGKILL;
        p->status = 128 + SIGKILL;
    }
    watch_free(p->exited);
    p->exited = NULL;
    close_agent_input(p);
    watch_again(p->timer, LATE_MS);
    check_process_end(p);
}

static void
on_process_line(void *arg, char *line, size_t n)
{
    const struct process_stream *s = arg;

    s->process->ev->line(s->process->arg, stream_of(s), line, n);
}

static void
on_process_long_line(void *arg)
{
    const struct process_stream *s = arg;

    s->process->ev->too_long(s->process->arg, stream_of(s));
}

/* The launcher has the streams too: they end after it. */
static void
on_stream_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct process_stream *s = arg;
    struct agentctl_process *p = s->process;

    (void)why;
    if (rest)
        p->ev->line(p->arg, stream_of(s), rest, n);
    line_reader_free(s->reader);
    s->reader = NULL;
    check_process_end(p);
}

static void
on_input_state(void *arg, enum sender_state state)
{
    (void)arg;
    (void)state;
}

static int
watch_process(struct agentctl_process *p,
              const struct agentctl_process_setup *set, struct err *e)
{
    static const struct line_reader_events lines = {
        .line = on_process_line,
        .too_long = on_process_long_line,
        .end = on_stream_end};
    static const size_t most[STREAMS] = {AGENTCTL_MESSAGE_MAX, ERROR_LINE_MAX};
    struct loop *l = set->loop;

    if (!(p->ending = loop_soon(l, on_process_ended, p, e)) ||
        !(p->timer = loop_timer(l, LATE_MS, on_process_timer, p, e)))
        return -1;
    watch_stop(p->ending);
    watch_stop(p->timer);
    for (int i = 0; i < STREAMS; i++) {
        struct process_stream *s = p->streams + i;

        s->process = p;
        s->reader = line_reader_new(l, proc_fd(p->proc, i + 1), set->buffer,
                                    most[i], &lines, s, e);
        if (!s->reader)
            return -1;
    }
    if (!(p->input = sender_new(l, proc_fd(p->proc, 0), INPUT_MAX,
                                on_input_state, p, e)) ||
        !(p->exited = loop_fd(l, proc_pidfd(p->proc), LOOP_READ,
                              on_exit_of_process, p, e)))
        return -1;
    return 0;
}

/* The path of the program, which is below the working directory where it has a
 * slash. The caller frees it. */
static char *
find_agent_program(const struct agentctl_process_setup *set, struct err *e)
{
    const char *name = set->words[0];
    char *path;

    if (strchr(name, '/'))
        path = *name == '/' ? strdup(name) : path_join(set->work_dir, name);
    else
        path = seat_find_program(set->seat, name);
    if (!path && !strchr(name, '/'))
        err_set(e, ERR_NOT_FOUND, "%.128s: no such program on PATH", name);
    else if (!path)
        err_nomem(e);
    if (path && path_is_program(path))
        return path;
    if (path && access(path, F_OK) == 0)
        err_set(e, ERR_PERMISSION, "%.128s: not an executable file", name);
    else if (path)
        err_sys(e, "%.128s", name);
    free(path);
    return NULL;
}

/* The words of the launcher, which the caller frees; the strings are those of
 * text. */
static const char **
launcher_words(const char *const *words, const char *program,
               const char *launcher, struct buf *text, struct err *e)
{
    static const struct sandbox_spec spec = {.profile = PROFILE_FULL,
                                             .alike = true};
    const char *own[AGENTCTL_WORDS_MAX + 1] = {program};
    const char **argv;
    size_t n;

    for (size_t i = 1; words[i]; i++)
        own[i] = words[i];
    if (spec_write(&spec, own, text, &n, e) < 0 ||
        !(argv = spec_argv(text, n, e)))
        return NULL;
    argv[0] = launcher;
    return argv;
}

static struct proc *
launch_agent(const struct agentctl_process_setup *set, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(WORDS_BYTES);
    CLEANUP(free_p) char *program = NULL;
    CLEANUP(free_p) char *launcher = NULL;
    CLEANUP(free_p) const char **argv = NULL;

    if (agentctl_settings_check_dir(set->work_dir, e) < 0 ||
        !(program = find_agent_program(set, e)) ||
        !(launcher = path_libexec(SPAWN_LAUNCHER, e)) ||
        !(argv = launcher_words(set->words, program, launcher, &text, e)))
        return NULL;
    return proc_start(
        &(struct proc_spec){.argv = argv,
                            .envp = set->environment,
                            .cwd = set->work_dir,
                            .fds = {PROC_PIPE, PROC_PIPE, PROC_PIPE},
                            .pass_fd = -1,
                            .adopt = true,
                            .held_signal = LAUNCH_PASS},
        e);
}

struct agentctl_process *
agentctl_process_start(const struct agentctl_process_setup *set,
                       const struct agentctl_process_events *ev, void *arg,
                       struct err *e)
{
    CLEANUP(agentctl_process_free_p)
    struct agentctl_process *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->ev = ev;
    p->arg = arg;
    p->ticks = ~0ul;
    if (!(p->proc = launch_agent(set, e)) || watch_process(p, set, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}

void
agentctl_process_free(struct agentctl_process *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < STREAMS; i++)
        line_reader_free(p->streams[i].reader);
    sender_free(p->input);
    watch_free(p->exited);
    watch_free(p->timer);
    watch_free(p->ending);
    proc_free(p->proc);
    free(p);
}

int
agentctl_process_write(struct agentctl_process *p, struct buf *line,
                       struct err *e)
{
    if (!p->input)
        return err_set(e, ERR_PEER, "the agent is ending");
    if (line->len + 1 > sender_room(p->input))
        return err_set(e, ERR_NOMEM, "the agent does not read its input");
    buf_ch(line, '\n');
    if (line->bad)
        return err_nomem(e);
    sender_take(p->input, line);
    return 0;
}

bool
agentctl_process_take_line(struct agentctl_process *p, struct buf *out)
{
    return p->streams[0].reader && line_reader_take(p->streams[0].reader, out);
}

void
agentctl_process_pause(struct agentctl_process *p, bool paused)
{
    p->paused = paused;
    if (p->streams[0].reader)
        line_reader_pause(p->streams[0].reader, paused);
}

void
agentctl_process_stop(struct agentctl_process *p, bool force)
{
    p->stopped = true;
    if (force && p->phase < TERMINATED) {
        close_agent_input(p);
        p->phase = TERMINATED;
    }
    if (p->exited && (force || p->phase == RUNNING))
        step_process_end(p);
}

/* The launcher's only child; the kernel may not tell (CONFIG_PROC_CHILDREN). */
static pid_t
find_agent_pid(pid_t launcher)
{
    CLEANUP_BUF struct buf text = buf_of(4096);
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)launcher,
             (int)launcher);
    if (file_read(path, &text, NULL) < 0)
        return 0;
    return (pid_t)strtol(text.p, NULL, 10);
}

pid_t
agentctl_process_pid(struct agentctl_process *p)
{
    if (p->pid == 0 && p->exited)
        p->pid = find_agent_pid(proc_pid(p->proc));
    return p->pid > 0 ? p->pid : proc_pid(p->proc);
}

bool
agentctl_process_is_idle(struct agentctl_process *p)
{
    CLEANUP_BUF struct buf text = buf_of(4096);
    unsigned long user = 0, system = 0, before = p->ticks;
    char path[64], state = 0;
    const char *at;

    (void)agentctl_process_pid(p);
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)p->pid);
    p->ticks = ~0ul;
    if (p->pid <= 0 || file_read(path, &text, NULL) < 0 ||
        !(at = strrchr(text.p, ')')) ||
        sscanf(at, STAT_FORMAT, &state, &user, &system) != 3 || state != 'S')
        return false;
    p->ticks = user + system;
    return p->ticks == before;
}

int
agentctl_process_status(const struct agentctl_process *p)
{
    return p->status;
}

int
agentctl_process_killed_by(const struct agentctl_process *p)
{
    return p->killed_by;
}

bool
agentctl_process_was_stopped(const struct agentctl_process *p)
{
    return p->stopped;
}
