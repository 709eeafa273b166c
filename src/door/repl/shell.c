/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell.c - the one bash that runs the person's commands. */
#include "door/repl/shell.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/proc.h"
#include "door/repl/mark.h"
#include "door/repl/said.h"

#define READ_SIZE    65536
#define HANGUP_MS    2000 /* to write a history and end jobs */
#define SEND_S       2    /* for a bash that waits for us */
#define LAST_READS   64   /* of a pty whose shell has ended */
#define REFUSAL_SIZE 128

struct shell {
    struct loop *loop;
    struct shell_ops ops;
    void *arg;
    struct proc *proc;
    struct pty pty;
    int sock;
    struct watch *pty_watch, *sock_watch, *end_watch;
    char nonce[TALK_NONCE_SIZE];
    char refusal[REFUSAL_SIZE];
    bool attached;
    struct mark mark;
    struct buf clean;  /* output without its mark */
    struct buf prompt; /* the message that the mark belongs to */
    struct said said;
    bool paused;
};

static int
send_packet(struct shell *sh, const char *p, size_t n, struct err *e)
{
    if (send(sh->sock, p, n, MSG_NOSIGNAL) < 0)
        return err_sys(e, "the shell does not listen");
    return 0;
}

static void
take_packet(struct shell *sh, const char *msg, size_t n)
{
    struct talk_prompt p;

    switch (msg[0]) {
    case TALK_HELLO:
        sh->attached = true;
        break;
    case TALK_REFUSE:
        snprintf(sh->refusal, sizeof(sh->refusal), "%.*s", (int)n - 1, msg + 1);
        break;
    case TALK_PROMPT:
    case TALK_MORE:
        if (talk_read_prompt(msg, n, &p) < 0)
            break;
        buf_clear(&sh->prompt);
        buf_add(&sh->prompt, msg, n);
        mark_expect(&sh->mark, sh->nonce, p.seq);
        break;
    default:
        said_take(&sh->said, msg, n);
        break;
    }
}

/* Reads what is there. False when the other end is gone: bash has ended, or
 * has become another program by exec. */
static bool
read_packets(struct shell *sh)
{
    char msg[TALK_MAX];
    ssize_t n;

    while ((n = recv(sh->sock, msg, sizeof(msg), MSG_DONTWAIT)) > 0)
        take_packet(sh, msg, (size_t)n);
    return n < 0;
}

static void
on_sock(void *arg, unsigned events)
{
    struct shell *sh = arg;

    (void)events;
    if (!read_packets(sh)) {
        watch_free(sh->sock_watch);
        sh->sock_watch = NULL;
        said_end(&sh->said);
    }
}

static void
give_prompt(struct shell *sh)
{
    struct talk_prompt p;

    if (talk_read_prompt(sh->prompt.p, sh->prompt.len, &p) == 0)
        sh->ops.prompt(sh->arg, &p);
}

/* The message comes before its mark: so whoever holds bytes from the pty and
 * then finds no message knows that there is no mark in them. */
static void
take_output(struct shell *sh, const char *p, size_t n)
{
    size_t seen;

    if (sh->sock_watch)
        (void)read_packets(sh);
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
        (void)read_packets(sh); /* why it could not attach */
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
    struct timeval patience = {.tv_sec = SEND_S};
    char hello[TALK_NONCE_SIZE + 1];
    int pair[2];

    if (pty_open(&sh->pty, &start->size, &start->modes, e) < 0 ||
        mark_nonce(sh->nonce, e) < 0)
        return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(e, "socket pair");
    sh->sock = pair[0];
    (void)setsockopt(sh->sock, SOL_SOCKET, SO_SNDTIMEO, &patience,
                     sizeof(patience));
    theirs = pair[1];
    snprintf(hello, sizeof(hello), "%c%s", TALK_NONCE, sh->nonce);
    if (send_packet(sh, hello, sizeof(hello), e) < 0 ||
        start_bash(sh, start, theirs, e) < 0)
        return -1;
    sh->pty_watch = loop_fd(sh->loop, sh->pty.master, LOOP_READ, on_pty, sh, e);
    sh->sock_watch = loop_fd(sh->loop, sh->sock, LOOP_READ, on_sock, sh, e);
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
                         .sock = -1};
    buf_init(&sh->clean, READ_SIZE + TALK_MARK_SIZE);
    buf_init(&sh->prompt, TALK_MAX);
    said_init(&sh->said);
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
    fd_close_p(&sh->sock);
    pty_close(&sh->pty); /* the kernel's hangup goes to bash's session */
    if (sh->proc)
        (void)proc_wait(sh->proc, HANGUP_MS, &status, NULL);
    proc_free(sh->proc);
    buf_done(&sh->clean);
    buf_done(&sh->prompt);
    said_done(&sh->said);
    free(sh);
}

bool
shell_is_attached(const struct shell *sh)
{
    return sh->attached;
}

const char *
shell_refusal(const struct shell *sh)
{
    return sh->refusal;
}

int
shell_line(struct shell *sh, const char *line, struct err *e)
{
    size_t left = strlen(line);
    char msg[TALK_MAX];

    if (left > TALK_LINE_MAX)
        return err_set(e, ERR_INVALID, "a line of more than %d bytes",
                       TALK_LINE_MAX);
    do {
        size_t n = left < sizeof(msg) - 1 ? left : sizeof(msg) - 1;

        msg[0] = n < left ? TALK_LINE_PART : TALK_LINE;
        memcpy(msg + 1, line, n);
        if (send_packet(sh, msg, n + 1, e) < 0)
            return -1;
        line += n;
        left -= n;
    } while (left > 0);
    return 0;
}

void
shell_say(struct shell *sh, char kind)
{
    (void)send_packet(sh, &kind, 1, NULL);
}

void
shell_set_status(struct shell *sh, int status)
{
    char msg[16];
    int n = snprintf(msg, sizeof(msg), "%c%d", TALK_STATUS, status & 255);

    (void)send_packet(sh, msg, (size_t)n + 1, NULL);
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

    if (!all)
        watch_pty(sh);
    return all;
}

void
shell_untype(struct shell *sh, struct buf *out)
{
    pty_untype(&sh->pty, out);
    watch_pty(sh);
}

void
shell_pause(struct shell *sh, bool paused)
{
    sh->paused = paused;
    watch_pty(sh);
}

int
shell_killed_by(const struct shell *sh)
{
    return proc_killed_by(sh->proc);
}

int
shell_ask(struct shell *sh, char kind, const char *const *fields, struct err *e)
{
    CLEANUP_BUF struct buf msg = {0};

    buf_init(&msg, TALK_MAX);
    buf_ch(&msg, kind);
    for (; fields && *fields; fields++)
        buf_add(&msg, *fields, strlen(*fields) + 1);
    if (buf_ok(&msg, "a question to the shell", e) < 0)
        return -1;
    said_begin(&sh->said);
    return send_packet(sh, msg.p, msg.len, e);
}

const struct buf *
shell_answer(const struct shell *sh)
{
    return said_fields(&sh->said);
}

const struct talk_matches *
shell_matches(const struct shell *sh)
{
    return sh->said.matches_known ? &sh->said.matches : NULL;
}

const struct buf *
shell_query(struct shell *sh, char kind, const char *const *fields,
            int timeout_ms)
{
    struct pollfd pfd = {.fd = sh->sock, .events = POLLIN};
    int64_t until = clock_ms() + timeout_ms;

    if (shell_ask(sh, kind, fields, NULL) < 0)
        return NULL;
    while (!sh->said.whole && clock_ms() < until && read_packets(sh))
        (void)poll(&pfd, 1, (int)(until - clock_ms()));
    return shell_answer(sh);
}
