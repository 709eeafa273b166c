/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_host.c - runs commands on another host, one at a time. */
#include "action/remote_host.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/path.h"
#include "term/escape.h"
#include "json/write.h"

#define PARAMS_MAX  (512u << 10) /* bytes: a command and a path, escaped */
#define CHUNK_MAX   (1u << 20)   /* of output in one message */
#define MESSAGE_MAX 200          /* of an agent's words in ours */

struct remote_host {
    struct remote_link_params set;
    const struct remote_host_events *ev;
    void *arg;
    struct remote_link *link;      /* NULL: none */
    const char *profile;           /* of its agent */
    bool checked;                  /* that it is */
    struct remote_command command; /* that runs */
    struct watch *soon;            /* tells the end, from the loop */
    struct remote_end end;
    struct buf streams[2]; /* the ends of them */
    uint64_t next[2];      /* the offset that comes next */
    int64_t process;       /* its id there; 0: not known yet */
    int64_t begun_ms;
    bool running, paused;
};

static const char *const stream_names[] = {"stdout", "stderr"};

static void
drop_link(struct remote_host *h)
{
    remote_link_close(h->link);
    h->link = NULL;
}

/* The command is over. Its owner hears of it from the loop. */
static void
conclude_command(struct remote_host *h, int exit_code, const struct err *why)
{
    if (!h->running || h->end.ms >= 0)
        return;
    h->end.exit_code = exit_code;
    if (why)
        h->end.why = *why;
    h->end.ms = clock_ms() - h->begun_ms;
    watch_again(h->soon, 0);
}

static void
on_host_soon(void *arg, unsigned events)
{
    struct remote_host *h = arg;

    (void)events;
    h->running = false;
    if (h->end.why.code != ERR_NONE)
        drop_link(h);
    else if (h->link)
        remote_link_watch(h->link, false);
    h->ev->ended(h->arg, &h->end);
}

/* The agent said no, or what cannot be understood. */
static void
fail_command(struct remote_host *h, const char *what, const char *words)
{
    CLEANUP_BUF struct buf text = buf_of(6 * MESSAGE_MAX + 1);
    struct err e = {0};
    size_t n = words ? strlen(words) : 0;

    escape_text(&text, NULL, words ? words : "",
                n < MESSAGE_MAX ? n : MESSAGE_MAX, ESCAPE_PROSE | ESCAPE_LINES);
    err_set(&e, ERR_TOOL, "%s%s%.200s", what, text.len > 0 ? ": " : "", text.p);
    conclude_command(h, -1, &e);
}

static void
keep_host_output(struct remote_host *h, size_t which, const char *bytes,
                 size_t n)
{
    struct buf *b = &h->streams[which];

    if (n > REMOTE_HOST_KEPT) {
        bytes += n - REMOTE_HOST_KEPT;
        n = REMOTE_HOST_KEPT;
        h->end.truncated = true;
    }
    if (b->len + n > REMOTE_HOST_KEPT) {
        buf_drop(b, b->len + n - REMOTE_HOST_KEPT);
        h->end.truncated = true;
    }
    buf_add(b, bytes, n);
}

static bool
is_of_command(const struct remote_host *h, const struct json *params)
{
    int64_t id = 0;

    return h->running && h->process > 0 && h->end.ms < 0 &&
           json_int(json_get(params, "id"), &id) && id == h->process;
}

static void
on_remote_output(void *arg, const struct json *params)
{
    struct remote_host *h = arg;
    const char *stream = json_get_str(params, "stream");
    CLEANUP_BUF struct buf bytes = buf_of(CHUNK_MAX);
    size_t n = 0, which;
    const char *data = json_str(json_get(params, "data"), &n);
    int64_t offset = -1;

    if (!is_of_command(h, params))
        return;
    which = stream && strcmp(stream, stream_names[1]) == 0;
    if (!stream || strcmp(stream, stream_names[which]) != 0 || !data ||
        !json_int(json_get(params, "offset"), &offset) || offset < 0 ||
        base64_decode(&bytes, data, n, NULL) < 0) {
        fail_command(h, "what answers there is no agent of agentsh", NULL);
        return;
    }
    h->end.truncated |= (uint64_t)offset != h->next[which];
    h->next[which] = (uint64_t)offset + bytes.len;
    keep_host_output(h, which, bytes.p, bytes.len);
    h->ev->output(h->arg, stream_names[which], bytes.p, bytes.len);
}

static void
on_remote_exit(void *arg, const struct json *params)
{
    struct remote_host *h = arg;
    int64_t status = -1, signo = 0;

    if (!is_of_command(h, params))
        return;
    (void)json_int(json_get(params, "exit_code"), &status);
    (void)json_int(json_get(params, "signal"), &signo);
    if (status == 0 || (status > 0 && status < 256))
        conclude_command(h, (int)status, NULL);
    else if (signo > 0 && signo < NSIG)
        conclude_command(h, 128 + (int)signo, NULL);
    else
        fail_command(h, "the command was not run to its end", NULL);
}

static void
on_link_lost(void *arg, const struct err *why)
{
    struct remote_host *h = arg;

    if (!h->running) { /* the next command opens another one */
        drop_link(h);
        return;
    }
    conclude_command(h, -1, why);
}

static void
on_remote_done(void *arg, const struct jsonrpc *m, const struct err *why)
{
    (void)arg;
    (void)m;
    (void)why;
}

static int
call_host(struct remote_host *h, const char *method, const struct buf *params,
          rpc_answer_cb *cb)
{
    struct err e = {0};

    if (buf_ok(params, "the command", &e) == 0 &&
        remote_link_call(h->link, method, params, cb, h, &e) == 0)
        return 0;
    if (e.code == ERR_NOMEM)
        conclude_command(h, -1, &e); /* else `lost` follows */
    return -1;
}

static void attach_output(struct remote_host *h, bool from_start);

/* What was written before we listen, and is kept no more, is lost. */
static void
on_attached(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct remote_host *h = arg;

    (void)why;
    if (m && m->kind == JSONRPC_ERROR && !h->end.truncated) {
        h->end.truncated = true;
        attach_output(h, false);
    } else if (m && m->kind == JSONRPC_ERROR) {
        fail_command(h, "its output cannot be read", m->message);
    }
}

static void
attach_output(struct remote_host *h, bool from_start)
{
    CLEANUP_BUF struct buf params = buf_of(256);

    buf_printf(&params, "{\"id\":%" PRId64 "%s}", h->process,
               from_start ? ",\"from\":0,\"from_stderr\":0" : "");
    (void)call_host(h, "process.attach", &params, on_attached);
}

static void
close_input(struct remote_host *h)
{
    CLEANUP_BUF struct buf params = buf_of(256);

    buf_printf(&params, "{\"id\":%" PRId64 "}", h->process);
    (void)call_host(h, "process.close_input", &params, on_remote_done);
}

static void
on_started(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct remote_host *h = arg;

    (void)why;
    if (!m || !h->running)
        return;
    if (m->kind == JSONRPC_ERROR) {
        fail_command(h, "not started there", m->message);
        return;
    }
    if (!json_int(json_get(m->result, "id"), &h->process) || h->process <= 0) {
        h->process = 0;
        fail_command(h, "what answers there is no agent of agentsh", NULL);
        return;
    }
    attach_output(h, true);
    close_input(h);
}

static void
put_start_params(const struct remote_command *c, struct buf *out)
{
    static const char *const words[] = {"bash", "--noprofile", "--norc", "-c"};
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "argv");
    json_open_array(&w);
    for (size_t i = 0; c->line && i < ARRAY_SIZE(words); i++)
        json_put_str(&w, words[i]);
    for (size_t i = 0; !c->line && c->argv[i]; i++)
        json_put_str(&w, i == 0 ? path_base(c->argv[0]) : c->argv[i]);
    if (c->line)
        json_put_str(&w, c->line);
    json_close_array(&w);
    if (c->owners)
        json_member_bool(&w, "owners", true);
    if (c->directory)
        json_member_str(&w, "cwd", c->directory);
    json_key(&w, "env");
    json_open_object(&w);
    json_member_str(&w, "AGENTSH", "1");
    json_close_object(&w);
    json_close_object(&w);
}

/* An agent runs its commands in one profile: another one needs another agent.
 */
static int
need_link(struct remote_host *h, const char *profile, struct err *e)
{
    static const struct remote_link_events events = {.output = on_remote_output,
                                                     .exited = on_remote_exit,
                                                     .lost = on_link_lost};
    bool same = profile && h->profile ? strcmp(profile, h->profile) == 0
                                      : profile == h->profile;

    if (h->link && same) {
        remote_link_watch(h->link, true);
        return 0;
    }
    drop_link(h);
    h->checked = !profile;
    h->profile = h->set.profile = profile;
    h->link = remote_link_open(&h->set, &events, h, e);
    if (h->link)
        remote_link_pause(h->link, h->paused);
    return h->link ? 0 : -1;
}

static void
send_command(struct remote_host *h)
{
    CLEANUP_BUF struct buf params = buf_of(PARAMS_MAX);

    put_start_params(&h->command, &params);
    (void)call_host(h, "process.start", &params, on_started);
}

/* What answers may be an agent that was started by other words than ours, as by
 * the key of a login (command=). */
static void
on_info(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct remote_host *h = arg;
    const char *profile;

    (void)why;
    if (!m || !h->running)
        return;
    profile = m->kind == JSONRPC_RESULT ? json_get_str(m->result, "profile")
                                        : NULL;
    if (!profile) {
        fail_command(h, "the agent there does not say its profile",
                     m->kind == JSONRPC_ERROR ? m->message : NULL);
    } else if (strcmp(profile, h->profile) != 0) {
        fail_command(h, "the agent there runs commands in another profile",
                     profile);
    } else {
        h->checked = true;
        send_command(h);
    }
}

static void
check_profile(struct remote_host *h)
{
    CLEANUP_BUF struct buf params = buf_of(8);

    buf_str(&params, "{}");
    (void)call_host(h, "info", &params, on_info);
}

void
remote_host_start(struct remote_host *h, const struct remote_command *c)
{
    struct err e = {0};

    h->command = *c;
    h->running = true;
    h->process = 0;
    h->begun_ms = clock_ms();
    for (size_t i = 0; i < 2; i++) {
        buf_clear(&h->streams[i]);
        h->next[i] = 0;
    }
    h->end = (struct remote_end){
        .ms = -1, .out = &h->streams[0], .err = &h->streams[1]};
    if (need_link(h, c->profile, &e) < 0) {
        conclude_command(h, -1, &e);
        return;
    }
    if (h->checked)
        send_command(h);
    else
        check_profile(h);
}

/* Asks for the end of the command there, as far as that is heard. */
void
remote_host_signal(struct remote_host *h, int signo)
{
    CLEANUP_BUF struct buf params = buf_of(256);
    const char *name = sigabbrev_np(signo == SIGTSTP ? SIGSTOP : signo);

    if (!h->running || !h->link || h->process == 0 || h->end.ms >= 0 || !name)
        return;
    buf_printf(&params, "{\"id\":%" PRId64 ",\"signal\":\"%s\"}", h->process,
               name);
    (void)call_host(h, "process.signal", &params, on_remote_done);
}

void
remote_host_stop(struct remote_host *h)
{
    remote_host_signal(h, SIGKILL);
    watch_stop(h->soon);
    h->running = false;
    drop_link(h);
}

void
remote_host_pause(struct remote_host *h, bool paused)
{
    h->paused = paused;
    if (h->link)
        remote_link_pause(h->link, paused);
}

struct remote_host *
remote_host_new(const struct remote_link_params *p,
                const struct remote_host_events *ev, void *arg, struct err *e)
{
    struct remote_host *h = calloc(1, sizeof(*h));

    if (!h) {
        err_nomem(e);
        return NULL;
    }
    *h = (struct remote_host){.set = *p, .ev = ev, .arg = arg};
    for (size_t i = 0; i < 2; i++)
        buf_init(&h->streams[i], REMOTE_HOST_KEPT);
    if (!(h->soon = loop_soon(p->loop, on_host_soon, h, e))) {
        remote_host_free(h);
        return NULL;
    }
    watch_stop(h->soon);
    return h;
}

void
remote_host_free(struct remote_host *h)
{
    if (!h)
        return;
    if (h->soon)
        remote_host_stop(h);
    watch_free(h->soon);
    for (size_t i = 0; i < 2; i++)
        buf_done(&h->streams[i]);
    free(h);
}
