/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_exchange.c - sends lines to a plugin that is checked and awaits its
 * answers. */
#include "tool/check/check_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/utf8.h"
#include "tool/check/check_report.h"
#include "tool/protocol.h"
#include "json/write.h"

#define RECEIVED_MAX (17u << 20) /* the longest response, and some events */
#define LOG_MS       50          /* for the log that is still in its pipe */
#define GRACE_MS     1000        /* past the limit that the request names */
#define SURPLUS_MS   20          /* for a second line, which is an error */
#define LOG_SHOWN    300         /* bytes of its log */
#define SHOWN        60          /* bytes of a line, in a message */

struct check_lines {
    struct loop *loop;
    struct spawn launch;
    struct plugin_process *process;
    struct buf received; /* lines, each with its newline */
    size_t taken;        /* bytes of `heard` that the caller has read */
    bool gone, ended;    /* it cannot be used any more */
    struct err why;
};

void
check_lines_free(struct check_lines *t)
{
    if (!t)
        return;
    plugin_process_free(t->process);
    spawn_done(&t->launch);
    buf_done(&t->received);
    free(t);
}

static bool
on_line(void *arg, const char *line, size_t n)
{
    struct check_lines *t = arg;

    buf_add(&t->received, line, n);
    buf_ch(&t->received, '\n');
    if (t->received.bad && !t->gone) {
        t->gone = true;
        err_set(&t->why, ERR_PEER, "more than %u bytes", RECEIVED_MAX);
        plugin_process_pause(t->process, true);
    }
    return !t->gone;
}

static void
on_gone(void *arg, struct err *why)
{
    struct check_lines *t = arg;

    t->ended = why->code == ERR_NONE;
    if (t->gone)
        return;
    t->gone = true;
    t->why = *why;
    if (t->ended)
        (void)plugin_process_explain(t->process, &t->why);
}

/* Starts the tool as a call does. */
static struct check_lines *
start_lines(struct loop *l, const struct tool *tool,
            const struct tool_setting *s, struct err *e)
{
    static const struct plugin_process_events events = {.line = on_line,
                                                        .gone = on_gone};
    CLEANUP(check_lines_free_p) struct check_lines *t = calloc(1, sizeof(*t));
    struct spawned started = {.report = -1};

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    t->loop = l;
    buf_init(&t->received, RECEIVED_MAX);
    if (spawn_prepare_tool(&t->launch, tool, s, e) < 0 ||
        spawn_start(&t->launch, NULL, &started, e) < 0 ||
        !(t->process = plugin_process_new(l, &started, e)))
        return NULL;
    plugin_process_set_events(t->process, &events, t);
    return TAKE_PTR(t);
}

int
check_lines_send(struct check_lines *t, const char *bytes, size_t n, bool last,
                 struct err *e)
{
    if (t->gone) {
        *e = t->why;
        return -1;
    }
    return plugin_process_send(t->process, bytes, n, last, e);
}

void
check_lines_end_input(struct check_lines *t)
{
    if (!t->gone)
        plugin_process_end_input(t->process);
}

/* Turns the loop once. False: the time is up, or the person interrupts. */
static bool
turn_loop(struct check_lines *t, int64_t until, const int *stop)
{
    int64_t left = until - clock_ms();

    return left > 0 && !*stop &&
           loop_turn(t->loop, (int)(left < 100 ? left : 100), NULL) >= 0;
}

static const char *
next_received_line(struct check_lines *t, size_t *n)
{
    const char *line = t->received.p + t->taken;
    const char *end = memchr(line, '\n', t->received.len - t->taken);

    if (!end)
        return NULL;
    *n = (size_t)(end - line);
    t->taken += *n + 1;
    return line;
}

/* The next line, valid until the next call. NULL: none came; e says why:
 * ERR_TIMEOUT: it still runs after ms; ERR_INTERRUPTED; else how it ended. */
static const char *
read_plugin_line(struct check_lines *t, int64_t ms, const int *stop, size_t *n,
                 struct err *e)
{
    int64_t until = clock_ms() + ms;
    const char *line;

    while (!(line = next_received_line(t, n))) {
        if (t->gone) {
            *e = t->why;
            return NULL;
        }
        if (turn_loop(t, until, stop))
            continue;
        err_set(e, *stop ? ERR_INTERRUPTED : ERR_TIMEOUT,
                *stop ? "interrupted" : "no answer within %lld ms",
                (long long)ms);
        return NULL;
    }
    return line;
}

bool
check_lines_ended(struct check_lines *t, int64_t ms, const int *stop)
{
    int64_t until = clock_ms() + ms;

    while (!t->ended && turn_loop(t, until, stop))
        ;
    return t->ended;
}

/* The end of its standard error. */
static const char *
await_log_end(struct check_lines *t)
{
    int64_t until = clock_ms() + LOG_MS;

    while (!t->ended && loop_turn(t->loop, 0, NULL) > 0 && clock_ms() < until)
        ;
    return plugin_process_log(t->process);
}

static void
read_denials(struct check_lines *t, struct denials *out)
{
    plugin_process_read_denials(t->process, out);
}

void
check_reply_done(struct check_reply *r)
{
    if (!r)
        return;
    protocol_message_done(&r->response);
}

void
check_write_request(struct check *t, const struct check_request *rq,
                    struct buf *out)
{
    const struct sandbox_spec *s = t->confined.setting.sandbox;
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_int(&w, "id", ++t->id);
    json_member_str(&w, "tool", rq->tool ? rq->tool : t->manifest->name);
    json_member_str(&w, "action", rq->action ? rq->action : "no-such-action");
    json_key(&w, "args");
    json_put_raw(&w, rq->args, strlen(rq->args));
    json_member_str(&w, "step_id", "trial");
    json_member_bool(&w, "stream", rq->stream);
    json_member_int(&w, "timeout_ms", t->limit_ms);
    json_key(&w, "roots");
    json_open_object(&w);
    json_key(&w, "read");
    json_open_array(&w);
    json_put_str(&w, s->sees_all ? "/" : t->scratch);
    json_close_array(&w);
    json_key(&w, "write");
    json_open_array(&w);
    for (size_t i = 0; s->writable[i]; i++)
        json_put_str(&w, s->writable[i]);
    json_close_array(&w);
    json_close_object(&w);
    json_close_object(&w);
}

int
check_start_process(struct check *t, struct err *e)
{
    if (!t->lines)
        t->lines = start_lines(t->params->loop, &t->tool, &t->confined.setting,
                               e);
    return t->lines ? 0 : -1;
}

/* Reports the end of its log in one line. */
static void
report_log(struct check *t)
{
    CLEANUP_BUF struct buf text = buf_of(LOG_SHOWN * 4);
    const char *log = await_log_end(t->lines);
    size_t n = strlen(log);

    while (n > 0 && log[n - 1] == '\n')
        n--;
    if (n > LOG_SHOWN) {
        size_t from = utf8_boundary(log, n, n - LOG_SHOWN);

        buf_str(&text, "...");
        log += from;
        n -= from;
    }
    for (size_t i = 0; i < n; i++)
        buf_str(&text, log[i] == '\n' ? " / " : (char[]){log[i], '\0'});
    if (n > 0)
        check_report(t, CHECK_NOTE, "its log", text.p);
}

/* Notes that a system call was denied; false: that is known. */
static bool
add_refused(struct check *t, const char *name)
{
    if (str_in_list(name, (const char *const *)t->refused, t->n_refused))
        return false;
    if (t->n_refused < CHECK_REFUSED_MAX &&
        (t->refused[t->n_refused] = strdup(name)))
        t->n_refused++;
    return true;
}

/* Reports each denied system call once, not at each request. */
static void
report_denials(struct check *t)
{
    CLEANUP(denials_done) struct denials r = {0};

    read_denials(t->lines, &r);
    for (size_t i = 0; i < r.n; i++) {
        if (add_refused(t, r.names[i]))
            check_report(t, CHECK_NOTE,
                         "the sandbox blocked what its manifest does not name",
                         r.names[i]);
    }
}

void
check_end_process(struct check *t)
{
    if (!t->lines)
        return;
    report_log(t);
    report_denials(t);
    check_lines_free(t->lines);
    t->lines = NULL;
}

/* Answers a request for root like a person who says no: nothing is run. */
static int
answer_elevate(struct check *t, struct err *e)
{
    static const char no[] = "{\"exit_code\":-1,\"stdout\":\"\",\"stderr\":"
                             "\"this is a trial: nothing is run\","
                             "\"error_code\":\"PERMISSION_DENIED\"}";

    return check_lines_send(t->lines, no, sizeof(no) - 1, false, e);
}

static int
check_answer(const struct check *t, const struct manifest_action *a,
             const struct protocol_message *r, int64_t id, struct err *e)
{
    if (r->has_id && r->id != id)
        return err_set(e, ERR_PEER, "it has another id: %lld instead of %lld",
                       (long long)r->id, (long long)id);
    if (!r->has_id && t->manifest->persistent)
        return err_set(e, ERR_PEER,
                       "a persistent plugin's response without id");
    if (a && a->meta_check && r->result.ok &&
        json_schema_check(a->meta_check, r->result.meta, 0, e) < 0) {
        e->code = ERR_PEER;
        return err_wrap(e, "meta does not match its schema");
    }
    return 0;
}

/* Describes the answer, for a report. */
static void
describe_reply(struct check_reply *r)
{
    const struct tool_result *a = &r->response.result;

    if (!a->out)
        return;
    if (a->ok)
        snprintf(r->came, sizeof(r->came), "ok: true");
    else
        snprintf(r->came, sizeof(r->came), "%s: %.*s", a->error_code, SHOWN * 2,
                 a->err);
}

/* Reads a line. One that is no response is part of the report. */
static int
read_reply(const char *line, size_t n, struct protocol_message *out,
           struct err *e)
{
    if (protocol_parse(line, n, out, e) == 0)
        return 0;
    protocol_message_done(out);
    return err_wrap(e, "%.*s%s", (int)(n < SHOWN ? n : SHOWN), line,
                    n < SHOWN ? "" : "...");
}

/* Reads lines until the answer. */
static int
await_reply(struct check *t, bool stream, struct check_reply *r, struct err *e)
{
    int64_t until = clock_ms() + t->limit_ms + GRACE_MS;

    for (;;) {
        int64_t left = until - clock_ms();
        size_t n;
        const char *line = read_plugin_line(t->lines, left > 0 ? left : 0,
                                            t->params->stop, &n, e);

        if (!line)
            return -1;
        protocol_message_done(&r->response);
        if (read_reply(line, n, &r->response, e) < 0)
            return -1;
        if (r->response.kind == PROTOCOL_RESPONSE)
            return 0;
        if (r->response.kind == PROTOCOL_ELEVATE && answer_elevate(t, e) < 0)
            return -1;
        if (r->response.kind == PROTOCOL_OUTPUT && !stream)
            return err_set(e, ERR_PEER, "an unrequested output event");
        r->outputs += r->response.kind == PROTOCOL_OUTPUT;
    }
}

/* Closes its input. It must end then, and write nothing more. */
static int
check_end_of_output(struct check *t, struct err *e)
{
    size_t n;
    const char *line;
    struct err why = {0};

    if (!t->manifest->persistent)
        check_lines_end_input(t->lines);
    line = read_plugin_line(t->lines, SURPLUS_MS, t->params->stop, &n, &why);
    if (line)
        return err_set(e, ERR_PEER, "it continued after its response: %.*s",
                       (int)(n < SHOWN ? n : SHOWN), line);
    if (t->manifest->persistent && why.code != ERR_TIMEOUT)
        return err_set(e, ERR_PEER, "it exited after its response: %.180s",
                       why.text);
    return 0;
}

static int
await_line(struct check *t, bool stream, const struct manifest_action *a,
           int64_t id, bool is_last, struct check_reply *r, struct err *e)
{
    int64_t from = clock_ms();

    if (await_reply(t, stream, r, e) < 0)
        return -1;
    r->ms = clock_ms() - from;
    describe_reply(r);
    if (check_answer(t, a, &r->response, id, e) < 0)
        return -1;
    return is_last ? check_end_of_output(t, e) : 0;
}

/* An error ends the process. After a timeout, or without any valid answer so
 * far, the other tests make no sense. */
static int
finish_exchange(struct check *t, int rc, struct err *e)
{
    if (rc == 0) {
        t->answered = true;
        if (!t->manifest->persistent)
            check_end_process(t);
        return 0;
    }
    t->hopeless = t->hopeless || !t->answered || e->code == ERR_TIMEOUT ||
                  e->code == ERR_INTERRUPTED || e->code == ERR_SANDBOX;
    check_end_process(t);
    return -1;
}

int
check_exchange(struct check *t, const struct buf *line, bool stream,
               const struct manifest_action *action, struct check_reply *r,
               struct err *e)
{
    int rc = 0;

    *r = (struct check_reply){0};
    if (check_start_process(t, e) < 0 ||
        check_lines_send(t->lines, line->p, line->len, false, e) < 0)
        rc = -1;
    else
        rc = await_line(t, stream, action, t->id, true, r, e);
    return finish_exchange(t, rc, e);
}

int
check_exchange_stray(struct check *t, const struct buf *line,
                     struct check_reply *r, struct err *e)
{
    int rc = 0;

    *r = (struct check_reply){0};
    if (check_start_process(t, e) < 0 ||
        check_lines_send(t->lines, line->p, line->len, false, e) < 0 ||
        await_reply(t, false, r, e) < 0)
        rc = -1;
    else
        rc = check_end_of_output(t, e);
    describe_reply(r);
    return finish_exchange(t, rc, e);
}

int
check_await_answer(struct check *t, int64_t id, struct check_reply *r,
                   struct err *e)
{
    *r = (struct check_reply){0};
    return finish_exchange(t, await_line(t, false, NULL, id, id == t->id, r, e),
                           e);
}
