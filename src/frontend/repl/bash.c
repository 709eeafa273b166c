/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bash.c - the one bash process that runs the person's commands. */
#include "frontend/repl/bash.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/proc.h"
#include "frontend/repl/output_delimiter.h"

#define READ_SIZE  65536
#define HANGUP_MS  2000 /* to write a history and end jobs */
#define LAST_READS 64   /* of a pty whose shell has ended */
#define ECHO_READS 4    /* of a pty whose keys are taken back */

struct bash {
    struct loop *loop;
    struct bash_ops ops;
    void *arg;
    struct proc *proc;
    struct pty pty;
    struct bash_channel dialog;
    struct watch *pty_watch, *sock_watch, *end_watch;
    char nonce[BASH_NONCE_SIZE];
    struct output_delimiter delimiter;
    struct buf clean; /* output without its delimiter */
    bool paused;
    bool typed; /* keys went to the pty since they were last taken back */
};

/* False when bash has ended or has become another program. */
static bool
listen_to(struct bash *sh)
{
    bool there = bash_channel_read(&sh->dialog);
    struct bash_prompt p;

    if (sh->dialog.prompted &&
        bash_protocol_read_prompt(sh->dialog.prompt.p, sh->dialog.prompt.len,
                                  &p) == 0)
        output_delimiter_expect(&sh->delimiter, sh->nonce, p.seq);
    sh->dialog.prompted = false;
    return there;
}

static void
on_sock(void *arg, unsigned events)
{
    struct bash *sh = arg;

    (void)events;
    if (!listen_to(sh)) {
        watch_free(sh->sock_watch);
        sh->sock_watch = NULL;
    }
}

static void
give_prompt(struct bash *sh)
{
    struct bash_prompt p;

    if (bash_protocol_read_prompt(sh->dialog.prompt.p, sh->dialog.prompt.len,
                                  &p) == 0)
        sh->ops.prompt(sh->arg, &p);
}

/* bash sends the message before the delimiter. So whoever holds bytes from the
 * pty and then finds no message knows that they hold no delimiter. Nor do those
 * without its first byte, for which the socket is not read: most of a long
 * output. */
static void
take_output(struct bash *sh, const char *p, size_t n)
{
    size_t seen;

    if (sh->sock_watch && memchr(p, BASH_DELIMITER_FMT[0], n))
        (void)listen_to(sh);
    if (!sh->delimiter.expected) {
        sh->ops.output(sh->arg, p, n);
        return;
    }
    buf_clear(&sh->clean);
    seen = output_delimiter_scan(&sh->delimiter, p, n, &sh->clean);
    if (sh->clean.len > 0)
        sh->ops.output(sh->arg, sh->clean.p, sh->clean.len);
    if (seen < n)
        sh->ops.output(sh->arg, p + seen, n - seen);
    if (!sh->delimiter.expected)
        give_prompt(sh);
}

static bool
read_pty(struct bash *sh)
{
    char bytes[READ_SIZE];
    ssize_t n = read(sh->pty.master, bytes, sizeof(bytes));

    if (n > 0)
        take_output(sh, bytes, (size_t)n);
    return n > 0;
}

static void
watch_pty(struct bash *sh)
{
    unsigned writing = sh->pty.keys.len ? LOOP_WRITE : 0;

    watch_events(sh->pty_watch, (sh->paused ? 0 : LOOP_READ) | writing);
}

static void
type_waiting_keys(struct bash *sh)
{
    if (!pty_type(&sh->pty, "", 0))
        return;
    watch_pty(sh);
    sh->ops.typed(sh->arg);
}

static void
on_pty(void *arg, unsigned events)
{
    struct bash *sh = arg;

    if (events & LOOP_WRITE && sh->pty.keys.len > 0)
        type_waiting_keys(sh);
    if (events & LOOP_READ && !sh->paused)
        (void)read_pty(sh);
}

static void
on_end(void *arg, unsigned events)
{
    struct bash *sh = arg;
    int status = 0;

    (void)events;
    if (sh->sock_watch)
        (void)listen_to(sh); /* why it could not attach */
    /* bounded: a job that stays behind may write for ever */
    for (int i = 0; i < LAST_READS && read_pty(sh); i++)
        ;
    watch_free(sh->end_watch);
    sh->end_watch = NULL;
    (void)proc_wait(sh->proc, 0, &status, NULL);
    sh->ops.ended(sh->arg, status);
}

static int
start_bash(struct bash *sh, const struct bash_start *start, int theirs,
           struct err *e)
{
    const char *argv[] = {start->bash, "--rcfile", start->rc, "-i", NULL};
    struct proc_spec spec = {
        .argv = argv,
        .fds = {sh->pty.slave, sh->pty.slave, sh->pty.slave},
        .pass_fd = theirs,
        .session = true};

    sh->proc = proc_start(&spec, e);
    return sh->proc ? 0 : -1;
}

static int
start_bash_on_pty(struct bash *sh, const struct bash_start *start,
                  struct err *e)
{
    CLEANUP(fd_close_p) int theirs = -1;

    if (pty_open(&sh->pty, &start->size, &start->modes, e) < 0 ||
        output_delimiter_nonce(sh->nonce, e) < 0 ||
        bash_channel_open(&sh->dialog, sh->nonce, &theirs, e) < 0 ||
        start_bash(sh, start, theirs, e) < 0)
        return -1;
    sh->pty_watch = loop_fd(sh->loop, sh->pty.master, LOOP_READ, on_pty, sh, e);
    sh->sock_watch = loop_fd(sh->loop, sh->dialog.sock, 0, on_sock, sh, e);
    sh->end_watch = loop_fd(sh->loop, proc_pidfd(sh->proc), LOOP_READ, on_end,
                            sh, e);
    return sh->pty_watch && sh->sock_watch && sh->end_watch ? 0 : -1;
}

struct bash *
bash_new(struct loop *l, const struct bash_start *how,
         const struct bash_ops *ops, void *arg, struct err *e)
{
    CLEANUP(bash_free_p) struct bash *sh = calloc(1, sizeof(*sh));

    if (!sh) {
        err_sys(e, "shell");
        return NULL;
    }
    *sh = (struct bash){.loop = l,
                        .ops = *ops,
                        .arg = arg,
                        .pty = {.master = -1, .slave = -1},
                        .dialog = {.sock = -1}};
    buf_init(&sh->clean, READ_SIZE + BASH_DELIMITER_SIZE);
    if (start_bash_on_pty(sh, how, e) < 0)
        return NULL;
    return TAKE_PTR(sh);
}

void
bash_free(struct bash *sh)
{
    int status;

    if (!sh)
        return;
    watch_free(sh->end_watch);
    watch_free(sh->sock_watch);
    watch_free(sh->pty_watch);
    bash_channel_close(&sh->dialog);
    pty_close(&sh->pty); /* the kernel's hangup goes to bash's session */
    if (sh->proc)
        (void)proc_wait(sh->proc, HANGUP_MS, &status, NULL);
    proc_free(sh->proc);
    buf_done(&sh->clean);
    free(sh);
}

struct bash_channel *
bash_get_channel(struct bash *sh)
{
    return &sh->dialog;
}

const struct pty *
bash_pty(const struct bash *sh)
{
    return &sh->pty;
}

bool
bash_type(struct bash *sh, const char *p, size_t n)
{
    bool all = pty_type(&sh->pty, p, n);

    sh->typed = true;
    if (!all)
        watch_pty(sh);
    return all;
}

void
bash_take_unread_keys(struct bash *sh, struct buf *out)
{
    if (!sh->typed)
        return;
    sh->typed = false;
    pty_take_back(&sh->pty, out);
    /* a job in the background may write for ever */
    for (int i = 0; out->len > 0 && !sh->paused && i < ECHO_READS; i++) {
        if (!read_pty(sh))
            break;
    }
    watch_pty(sh);
}

void
bash_pause(struct bash *sh, bool paused)
{
    sh->paused = paused;
    watch_pty(sh);
}

void
bash_watch_channel(struct bash *sh, bool on)
{
    if (sh->sock_watch)
        watch_events(sh->sock_watch, on ? LOOP_READ : 0);
}

bool
bash_was_stopped(const struct bash *sh)
{
    return proc_was_stopped(sh->proc);
}

void
bash_continue(struct bash *sh)
{
    proc_signal(sh->proc, SIGCONT);
}

int
bash_killed_by(const struct bash *sh)
{
    return proc_killed_by(sh->proc);
}
