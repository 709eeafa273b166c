/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_link.c - the connection to the guest agent of another host. */
#include "action/remote_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/proc_end.h"
#include "term/escape.h"
#include "wire/guest_ssh.h"

/* Bytes of a message: an agent sends 48 KiB of output in one, as base64. */
#define LINE_MAX_BYTES (1u << 20)
#define QUEUE_MAX      (1u << 20) /* a command is at most 16 KiB, escaped */
#define CALLS_MAX      64
#define WORDS_KEPT     4096 /* bytes of the end of ssh's words */
#define WORDS_READS    64   /* of 1 KiB, at one turn: what a pipe holds */
#define REASON_MAX     160  /* of them in a message */
#define NOISE_MAX      1000 /* lines that a login prints before the agent */
#define EXIT_MS        1000 /* for ssh to end when its output has */
#define LEAVE_MS       300  /* for the agent there to end what runs */
#define TERM_MS        700

/* A row of what ssh says, and what a person does about it. */
struct ssh_reason {
    const char *words; /* in ssh's output */
    const char *text;  /* %s: the host */
};

static const struct ssh_reason reasons[] = {
    {"IDENTIFICATION HAS CHANGED",
     "its key is not the one that is known for it: find out why, then "
     "`ssh-keygen -R` takes the old one away"},
    {"Host key verification failed",
     "its key is not known here: run `ssh %s` once, and compare the key that "
     "it shows"},
    {"Permission denied",
     "the login is refused, since nothing is asked for here: let "
     "`ssh -o BatchMode=yes %s` work first, with a key in ssh-agent"},
    {NULL, NULL},
};

/* A call that waits for its answer. */
struct link_call {
    struct remote_link *link; /* NULL: none */
    rpc_answer_cb *cb;
    void *arg;
};

struct remote_link {
    struct remote_link_params set;
    const struct remote_link_events *ev;
    void *arg;
    struct proc *ssh;
    struct rpc *rpc;
    struct watch *words;  /* of ssh's standard error; NULL: it has ended */
    struct watch *exited; /* its end; NULL: it has ended */
    struct watch *tick;   /* looks for signs of life */
    struct watch *soon;   /* the end, from the loop */
    struct buf said;      /* the end of ssh's words */
    struct link_call calls[CALLS_MAX];
    size_t asked;     /* of them: those that wait for an answer */
    int64_t asked_ms; /* clock_ms: the last of them, or the last answer */
    int64_t heard_ms, tick_ms; /* clock_ms: the last sign of life, last look */
    unsigned noise;            /* lines that are no messages */
    int status;                /* of ssh; -1: it runs */
    bool up, watched, paused, pinged;
    bool ended; /* its output has */
    bool over;  /* `soon` is armed for the end */
    struct err why;
};

/* Appends the last line that ssh wrote. */
static void
put_last_words(const struct remote_link *l, struct buf *out)
{
    const char *p = l->said.p;
    size_t end = l->said.len, from;

    while (end > 0 && strchr(" \t\r\n", p[end - 1]))
        end--;
    for (from = end; from > 0 && p[from - 1] != '\n'; from--)
        ;
    if (end - from > 5 && strncmp(p + from, "ssh: ", 5) == 0)
        from += 5;
    if (end - from > REASON_MAX)
        end = from + REASON_MAX;
    escape_text(out, NULL, p + from, end - from, ESCAPE_PROSE | ESCAPE_LINES);
}

static const struct ssh_reason *
find_ssh_reason(const struct remote_link *l)
{
    const struct ssh_reason *r = reasons;

    while (r->words && !strstr(l->said.p, r->words))
        r++;
    return r->words ? r : NULL;
}

/* The text of a row, with the host in it. */
static void
put_reason(const struct remote_link *l, const char *text, struct buf *out)
{
    const char *at = strstr(text, "%s");

    if (!at) {
        buf_str(out, text);
        return;
    }
    buf_add(out, text, (size_t)(at - text));
    buf_printf(out, "%s%s", l->set.host, at + 2);
}

/* Says why ssh has ended. */
static void
explain_end(const struct remote_link *l, struct err *e)
{
    const struct ssh_reason *known = find_ssh_reason(l);
    CLEANUP_BUF struct buf words = buf_of(6 * REASON_MAX + 1);
    CLEANUP_BUF struct buf text = buf_of(2048);
    const char *before = l->up              ? "the connection was lost"
                         : l->status == 255 ? "ssh"
                                            : "no agent there";

    put_last_words(l, &words);
    if (l->status == 127 && !l->up)
        buf_printf(&text,
                   "agentsh is not found there: `ssh %.60s agentsh --version` "
                   "must work (%.120s)",
                   l->set.host, words.p);
    else if (l->status == 255 && known && !l->up)
        put_reason(l, known->text, &text);
    else if (words.len > 0)
        buf_printf(&text, "%s: %s", before, words.p);
    else
        buf_printf(&text, "%s: it ended without a word", before);
    err_set(e, ERR_TOOL, "%s", text.p);
}

/* Reads what there is of ssh's words. A host may write faster than we read. */
static void
read_words(struct remote_link *l)
{
    char bytes[1024];

    for (int i = 0; l->words && i < WORDS_READS; i++) {
        ssize_t n = read(proc_fd(l->ssh, 2), bytes, sizeof(bytes));

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n <= 0) {
            watch_free(l->words);
            l->words = NULL;
            return;
        }
        if (l->said.len + (size_t)n > WORDS_KEPT)
            buf_drop(&l->said, l->said.len + (size_t)n - WORDS_KEPT);
        buf_add(&l->said, bytes, (size_t)n);
    }
}

static void
on_words(void *arg, unsigned events)
{
    (void)events;
    read_words(arg);
}

/* The end of ssh, or of its output: the other one follows, and what it has
 * written is read before its end is told. */
static void
expect_end(struct remote_link *l)
{
    if (l->over)
        return;
    if (l->ended && l->status >= 0)
        watch_again(l->soon, 0);
    else
        watch_again(l->soon, EXIT_MS);
}

static void
on_ssh_exited(void *arg, unsigned events)
{
    struct remote_link *l = arg;
    int status = 0;

    (void)events;
    if (proc_wait(l->ssh, 0, &status, NULL) == 1)
        return;
    l->status = status;
    watch_free(l->exited);
    l->exited = NULL;
    expect_end(l);
}

static void
on_link_ended(void *arg, enum rpc_end what, const struct err *why)
{
    struct remote_link *l = arg;

    (void)why;
    (void)what;
    l->ended = true;
    expect_end(l);
}

static void
on_link_soon(void *arg, unsigned events)
{
    struct remote_link *l = arg;
    struct err why = {0};

    (void)events;
    if (l->paused && !l->over) { /* what is left is read first */
        watch_again(l->soon, EXIT_MS);
        return;
    }
    read_words(l);
    if (l->why.code == ERR_NONE)
        explain_end(l, &l->why);
    why = l->why;
    l->ev->lost(l->arg, &why);
}

static void
fail_link(struct remote_link *l, const struct err *why)
{
    if (l->over)
        return;
    l->over = true;
    l->why = *why;
    watch_again(l->soon, 0);
}

/* Before the agent's first message a login may print something. */
static bool
on_link_line(void *arg, char *line, size_t n)
{
    struct remote_link *l = arg;
    size_t blanks = strspn(line, " \t\r");
    struct err e = {0};

    if (blanks < n && line[blanks] == '{') {
        l->heard_ms = clock_ms();
        l->up = true;
        return l->over;
    }
    if (blanks >= n || (!l->up && ++l->noise <= NOISE_MAX))
        return true;
    err_set(&e, ERR_PEER, "what answers there is no agent of agentsh");
    fail_link(l, &e);
    return true;
}

static void
on_link_output(void *arg, const struct json *params)
{
    const struct remote_link *l = arg;

    if (!l->over)
        l->ev->output(l->arg, params);
}

static void
on_link_exited(void *arg, const struct json *params)
{
    const struct remote_link *l = arg;

    if (!l->over)
        l->ev->exited(l->arg, params);
}

static void
on_pong(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct remote_link *l = arg;

    (void)m;
    (void)why;
    l->pinged = false;
}

static void
send_ping(struct remote_link *l)
{
    l->pinged = rpc_call_start(l->rpc, "ping", NULL, 0, on_pong, l, NULL) !=
                NULL;
}

static void
look_for_life(struct remote_link *l)
{
    int64_t now = clock_ms(), quiet = now - l->heard_ms;
    struct err e = {0};

    if (quiet > l->set.wait_ms ||
        (l->asked > 0 && now - l->asked_ms > l->set.wait_ms)) {
        err_set(&e, ERR_TIMEOUT,
                l->up && quiet > l->set.wait_ms
                    ? "no sign of life for %lld s: given up"
                    : "no answer within %lld s: given up ([hosts] timeout_s)",
                (long long)(l->set.wait_ms / 1000));
        fail_link(l, &e);
    } else if (l->up && quiet > l->set.wait_ms / 2 && !l->pinged) {
        send_ping(l);
    }
}

/* Where this process was stopped meanwhile, the time does not count. */
static void
on_tick(void *arg, unsigned events)
{
    struct remote_link *l = arg;
    int64_t every = l->set.wait_ms / 8 + 1, now = clock_ms();

    (void)events;
    if (now - l->tick_ms > 2 * every + 1000 || l->paused)
        l->heard_ms = l->asked_ms = now;
    l->tick_ms = now;
    if (l->watched && !l->over)
        look_for_life(l);
    watch_again(l->tick, every);
}

static int
open_link_rpc(struct remote_link *l, struct err *e)
{
    static const struct rpc_method methods[] = {
        {.name = "process.output", .notice = on_link_output},
        {.name = "process.exit", .notice = on_link_exited},
        {0}};
    static const struct rpc_events events = {.raw = on_link_line,
                                             .ended = on_link_ended};
    const struct rpc_setup set = {.loop = l->set.loop,
                                  .in = proc_fd(l->ssh, 1),
                                  .out = proc_fd(l->ssh, 0),
                                  .buffer = l->set.buffer,
                                  .methods = methods,
                                  .events = &events,
                                  .arg = l,
                                  .limits = {.line_bytes = LINE_MAX_BYTES,
                                             .queued_bytes = QUEUE_MAX,
                                             .requests = 1,
                                             .calls = CALLS_MAX}};

    l->rpc = rpc_new(&set, e);
    return l->rpc ? 0 : -1;
}

static int
start_link(struct remote_link *l, struct err *e)
{
    const struct guest_ssh how = {.seat = l->set.seat,
                                  .host = l->set.host,
                                  .profile = l->set.profile,
                                  .batch = true,
                                  .connect_s = (int)(l->set.wait_ms / 1000)};
    struct loop *loop = l->set.loop;

    if (!(l->ssh = guest_ssh_start(&how, e)) ||
        fd_set_nonblock(proc_fd(l->ssh, 2), true, e) < 0 ||
        !(l->words = loop_fd(loop, proc_fd(l->ssh, 2), LOOP_READ, on_words, l,
                             e)) ||
        !(l->exited = loop_fd(loop, proc_pidfd(l->ssh), LOOP_READ,
                              on_ssh_exited, l, e)) ||
        !(l->tick = loop_timer(loop, 1, on_tick, l, e)) ||
        !(l->soon = loop_soon(loop, on_link_soon, l, e)))
        return -1;
    watch_stop(l->soon);
    return open_link_rpc(l, e);
}

struct remote_link *
remote_link_open(const struct remote_link_params *p,
                 const struct remote_link_events *ev, void *arg, struct err *e)
{
    struct remote_link *l = calloc(1, sizeof(*l));

    if (!l) {
        err_nomem(e);
        return NULL;
    }
    *l = (struct remote_link){.set = *p, .ev = ev, .arg = arg, .status = -1};
    buf_init(&l->said, WORDS_KEPT);
    l->heard_ms = l->tick_ms = clock_ms();
    l->watched = true;
    if (start_link(l, e) == 0)
        return l;
    remote_link_close(l);
    return NULL;
}

/* The end of its input ends the agent there, and with it what runs. An ssh that
 * does not notice is ended itself. */
void
remote_link_close(struct remote_link *l)
{
    if (!l)
        return;
    rpc_free(l->rpc);
    watch_free(l->words);
    watch_free(l->exited);
    watch_free(l->tick);
    watch_free(l->soon);
    buf_done(&l->said);
    if (l->ssh && l->status < 0) {
        for (int i = 0; i < 3; i++)
            proc_close_fd(l->ssh, i);
        if (proc_end_later(l->set.loop, l->ssh,
                           l->over || !l->up ? 0 : LEAVE_MS, TERM_MS,
                           NULL) == 0)
            l->ssh = NULL;
    }
    proc_free(l->ssh);
    free(l);
}

static void
on_link_answer(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct link_call *call = arg;
    struct remote_link *l = call->link;
    const struct link_call is = *call;

    call->link = NULL;
    l->asked--;
    l->asked_ms = clock_ms();
    is.cb(is.arg, m, why);
}

int
remote_link_call(struct remote_link *l, const char *method,
                 const struct buf *params, rpc_answer_cb *cb, void *arg,
                 struct err *e)
{
    struct link_call *call = l->calls;

    while (call < l->calls + CALLS_MAX && call->link)
        call++;
    if (call == l->calls + CALLS_MAX)
        return err_nomem(e);
    *call = (struct link_call){.link = l, .cb = cb, .arg = arg};
    if (!rpc_call_start(l->rpc, method, params, 0, on_link_answer, call, e)) {
        call->link = NULL;
        return -1;
    }
    l->asked++;
    l->asked_ms = clock_ms();
    return 0;
}

void
remote_link_watch(struct remote_link *l, bool on)
{
    l->watched = on;
    l->heard_ms = clock_ms();
}

void
remote_link_pause(struct remote_link *l, bool paused)
{
    l->paused = paused;
    rpc_pause(l->rpc, paused);
}
