/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell.c - the one bash that runs the person's commands. */
#include "door/repl/shell.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/proc.h"
#include "door/repl/mark.h"

#define READ_SIZE  65536
#define HANGUP_MS  2000 /* to write a history and end jobs */
#define LAST_READS 64   /* of a pty whose shell has ended */

struct shell {
    struct loop *loop;
    struct shell_ops ops;
    void *arg;
    struct proc *proc;
    struct pty pty;
    struct dialog dialog;
    struct watch *pty_watch, *sock_watch, *end_watch;
    char nonce[TALK_NONCE_SIZE];
    struct mark mark;
    struct buf clean; /* output without its mark */
    bool paused;
    bool typed; /* keys went to the pty since they were last taken back */
};

/* False when bash has ended or has become another program. */
static bool
listen_to(struct shell *sh)
{
    bool there = dialog_read(&sh->dialog);
    struct talk_prompt p;

    if (sh->dialog.prompted &&
        talk_read_prompt(sh->dialog.prompt.p, sh->dialog.prompt.len, &p) == 0)
        mark_expect(&sh->mark, sh->nonce, p.seq);
    sh->dialog.prompted = false;
    return there;
}

static void
on_sock(void *arg, unsigned events)
{
    struct shell *sh = arg;

    (void)events;
    if (!listen_to(sh)) {
        watch_free(sh->sock_watch);
        sh->sock_watch = NULL;
    }
}

static void
give_prompt(struct shell *sh)
{
    struct talk_prompt p;

    if (talk_read_prompt(sh->dialog.prompt.p, sh->dialog.prompt.len, &p) == 0)
        sh->ops.prompt(sh->arg, &p);
}

/* The message comes before its mark: so whoever holds bytes from the pty and
 * then finds no message knows that there is no mark in them. */
static void
take_output(struct shell *sh, const char *p, size_t n)
{
    size_t seen;

    if (sh->sock_watch)
        (void)listen_to(sh);
    if (!sh->mark.awaited) {
        sh->ops.output(sh->arg, p, n);
        return;
    }
    buf_clear(&sh->clean);
    seen = mark_scan(&sh->mark, p, n, &sh->clean);
    if (sh->clean.len > 0)
        sh->ops.output(sh->arg, sh->clean.p, sh->clean.len);
    if (!sh->mark.awaited)
        give_prompt(sh);
    if (seen < n)
        sh->ops.output(sh->arg, p + seen, n - seen);
}

static bool
read_pty(struct shell *sh)
{
    char bytes[READ_SIZE];
    ssize_t n = read(sh->pty.master, bytes, sizeof(bytes));

    if (n > 0)
        take_output(sh, bytes, (size_t)n);
    return n > 0;
}

static void
watch_pty(struct shell *sh)
{
    unsigned writing = sh->pty.keys.len ? LOOP_WRITE : 0;

    watch_events(sh->pty_watch, (sh->paused ? 0 : LOOP_READ) | writing);
}

static void
type_keys(struct shell *sh)
{
    if (!pty_type(&sh->pty, "", 0))
        return;
    watch_pty(sh);
    sh->ops.typed(sh->arg);
}

static void
on_pty(void *arg, unsigned events)
{
    struct shell *sh = arg;

    if (events & LOOP_WRITE && sh->pty.keys.len > 0)
        type_keys(sh);
    if (events & LOOP_READ && !sh->paused)
        (void)read_pty(sh);
}

static void
on_end(void *arg, unsigned events)
{
    struct shell *sh = arg;
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
start_bash(struct shell *sh, const struct shell_start *start, int theirs,
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
start(struct shell *sh, const struct shell_start *start, struct err *e)
{
    CLEANUP(fd_close_p) int theirs = -1;

    if (pty_open(&sh->pty, &start->size, &start->modes, e) < 0 ||
        mark_nonce(sh->nonce, e) < 0 ||
        dialog_open(&sh->dialog, sh->nonce, &theirs, e) < 0 ||
        start_bash(sh, start, theirs, e) < 0)
        return -1;
    sh->pty_watch = loop_fd(sh->loop, sh->pty.master, LOOP_READ, on_pty, sh, e);
    sh->sock_watch = loop_fd(sh->loop, sh->dialog.sock, 0, on_sock, sh, e);
    sh->end_watch = loop_fd(sh->loop, proc_pidfd(sh->proc), LOOP_READ, on_end,
                            sh, e);
    return sh->pty_watch && sh->sock_watch && sh->end_watch ? 0 : -1;
}

struct shell *
shell_new(struct loop *l, const struct shell_start *how,
          const struct shell_ops *ops, void *arg, struct err *e)
{
    CLEANUP(shell_free_p) struct shell *sh = calloc(1, sizeof(*sh));

    if (!sh) {
        err_sys(e, "shell");
        return NULL;
    }
    *sh = (struct shell){.loop = l,
                         .ops = *ops,
                         .arg = arg,
                         .pty = {.master = -1, .slave = -1},
                         .dialog = {.sock = -1}};
    buf_init(&sh->clean, READ_SIZE + TALK_MARK_SIZE);
    if (start(sh, how, e) < 0)
        return NULL;
    return TAKE_PTR(sh);
}

void
shell_free(struct shell *sh)
{
    int status;

    if (!sh)
        return;
    watch_free(sh->end_watch);
    watch_free(sh->sock_watch);
    watch_free(sh->pty_watch);
    dialog_close(&sh->dialog);
    pty_close(&sh->pty); /* the kernel's hangup goes to bash's session */
    if (sh->proc)
        (void)proc_wait(sh->proc, HANGUP_MS, &status, NULL);
    proc_free(sh->proc);
    buf_done(&sh->clean);
    free(sh);
}

struct dialog *
shell_dialog(struct shell *sh)
{
    return &sh->dialog;
}

const struct pty *
shell_pty(const struct shell *sh)
{
    return &sh->pty;
}

bool
shell_type(struct shell *sh, const char *p, size_t n)
{
    bool all = pty_type(&sh->pty, p, n);

    sh->typed = true;
    if (!all)
        watch_pty(sh);
    return all;
}

void
shell_untype(struct shell *sh, struct buf *out)
{
    if (!sh->typed)
        return;
    sh->typed = false;
    pty_untype(&sh->pty, out);
    watch_pty(sh);
}

void
shell_pause(struct shell *sh, bool paused)
{
    sh->paused = paused;
    watch_pty(sh);
}

void
shell_listen(struct shell *sh, bool on)
{
    if (sh->sock_watch)
        watch_events(sh->sock_watch, on ? LOOP_READ : 0);
}

bool
shell_was_stopped(const struct shell *sh)
{
    return proc_was_stopped(sh->proc);
}

void
shell_continue(struct shell *sh)
{
    proc_signal(sh->proc, SIGCONT);
}

int
shell_killed_by(const struct shell *sh)
{
    return proc_killed_by(sh->proc);
}
