/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_agent.c - one agent: started and ended by request, its messages
 * passed on. */
#include "server/agentctl/agentctl_agent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "server/agentctl/agentctl_message.h"
#include "server/agentctl/agentctl_process.h"
#include "server/agentctl/agentctl_questions.h"
#include "server/server_http.h"

/* A line that is repaired to be read, which takes some milliseconds. */
#define REPAIRED_MAX (1u << 20)
#define METHOD       "\"method\""   /* no answer has one */
#define REPLACED     "\xef\xbf\xbd" /* U+FFFD, of utf8_repair */
#define ERRORS_MAX   (4u << 10)     /* bytes of standard error in an answer */

struct agentctl_agent {
    struct loop *loop;
    const struct seat *seat;
    const struct agentctl_settings *settings;
    const struct agentctl_agent_events *ev;
    void *arg;
    struct read_buffer *buffer;
    struct agentctl_process *process; /* NULL: it does not run */
    struct agentctl_calls *calls;
    struct agentctl_questions questions;
    struct agentctl_output *output;
    /* the line at hand; a long one is held while it is parsed */
    const char *line;
    size_t line_n;
    struct agentctl_reading reading; /* of its line */
    uint64_t output_before;          /* lines of former runs */
    bool stopping;
    bool overlong; /* it is ended for a line that is too long */
    bool failed;   /* the last run ended badly */
    int exit_code, killed_by;
    uint64_t starts, messages_in, messages_out;
};

static void
notify_listeners(void *arg, const struct agentctl_line *line,
                 const struct err *why)
{
    struct agentctl_agent *a = arg;

    (void)why; /* they see that the agent has ended */
    if (line)
        a->ev->message(a->arg, line->p, line->n);
}

struct agentctl_agent *
agentctl_agent_new(struct loop *l, const struct seat *seat,
                   const struct agentctl_settings *s,
                   const struct agentctl_agent_events *ev, void *arg,
                   struct err *e)
{
    struct agentctl_agent *a = calloc(1, sizeof(*a));

    if (!a) {
        err_nomem(e);
        return NULL;
    }
    *a = (struct agentctl_agent){.loop = l,
                                 .seat = seat,
                                 .settings = s,
                                 .ev = ev,
                                 .arg = arg,
                                 .exit_code = -1};
    agentctl_reading_init(&a->reading);
    a->reading.all = a->reading.keeps = true;
    if ((a->buffer = read_buffer_new(e)) &&
        (a->calls = agentctl_calls_new(l, notify_listeners, a, e)) &&
        (a->output = agentctl_output_new(s->output_lines, e)))
        return a;
    agentctl_agent_free(a);
    return NULL;
}

void
agentctl_agent_free(struct agentctl_agent *a)
{
    if (!a)
        return;
    agentctl_process_free(a->process);
    agentctl_reading_done(&a->reading);
    agentctl_calls_free(a->calls);
    agentctl_questions_clear(&a->questions);
    agentctl_output_free(a->output);
    read_buffer_free(a->buffer);
    free(a);
}

static void __attribute__((format(printf, 3, 4)))
log_of_agent(const struct agentctl_agent *a, enum agentctl_level level,
             const char *fmt, ...)
{
    CLEANUP_BUF struct buf line = buf_of(1024);
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(&line, fmt, ap);
    va_end(ap);
    a->ev->log(a->arg, level, line.p);
}

/* Writes a line that out holds, or says why not. */
static int
write_to_agent(struct agentctl_agent *a, struct buf *line, struct err *e)
{
    if (buf_ok(line, "the message", e) < 0)
        return -1;
    if (!a->process)
        return err_set(e, ERR_NOT_FOUND, "agent is not running");
    if (agentctl_process_write(a->process, line, e) < 0)
        return -1;
    a->messages_out++;
    a->ev->begun(a->arg);
    return 0;
}

/* Answers a request of the agent's by ourselves; result NULL: by an error. */
static void
answer_agent(struct agentctl_agent *a, const char *id, const struct buf *result,
             const char *error)
{
    CLEANUP_BUF struct buf line = buf_of(AGENTCTL_LINE_MAX);
    struct err e = {0};

    if (!result) {
        jsonrpc_put_error(&line, id, JSONRPC_INTERNAL, error, NULL);
    } else {
        jsonrpc_begin_result(&line, id);
        buf_add(&line, result->p, result->len);
        buf_ch(&line, '}');
    }
    if (write_to_agent(a, &line, &e) < 0)
        log_of_agent(a, AGENTCTL_WARN, "%s", e.text);
}

static void
allow_by_setting(struct agentctl_agent *a, const struct jsonrpc *m)
{
    CLEANUP_BUF struct buf yes = buf_of(AGENTCTL_LINE_MAX);
    const struct json *params = json_get(m->root, "params");
    const char *title = json_get_str(json_get(params, "toolCall"), "title");

    agentctl_questions_put_yes(params, &yes);
    answer_agent(a, m->id, &yes, NULL);
    log_of_agent(a, AGENTCTL_INFO,
                 "allowed, as AGENTCTL_AUTO_APPROVE_PERMISSIONS "
                 "says: %.200s",
                 title ? title : "a request without a title");
}

/* A request of the agent's. Whether all who listen are to see it. */
static bool
take_question(struct agentctl_agent *a, const struct jsonrpc *m)
{
    const char *method = json_get_str(m->root, "method");
    struct err e = {0};

    if (a->settings->approves && method &&
        strcmp(method, "session/request_permission") == 0) {
        allow_by_setting(a, m);
        return false;
    }
    if (agentctl_questions_add(&a->questions, m, a->line, a->line_n, &e) == 0)
        return true;
    log_of_agent(a, AGENTCTL_WARN, "refused a request of the agent's: %s",
                 e.text);
    answer_agent(a, m->id, NULL, e.text);
    return false;
}

/* A response, which is for the one who called. Whether all are to see it. */
static bool
take_response_of_agent(struct agentctl_agent *a, const struct jsonrpc *m)
{
    const struct agentctl_line line = {
        a->line, a->line_n, a->reading.text.len > 0 ? &a->reading.text : NULL};

    if (!m->id)
        return true; /* what it could not read has no id */
    if (!agentctl_calls_answer(a->calls, m, &line, &a->reading))
        log_of_agent(a, AGENTCTL_DEBUG,
                     "an answer that nobody waits for, with the id %.64s",
                     m->id);
    return false;
}

static void
take_message_of_agent(struct agentctl_agent *a, const struct jsonrpc *m)
{
    bool shown = true;

    if (json_get(m->root, "method"))
        shown = !m->id || take_question(a, m);
    else if (json_get(m->root, "result") || json_get(m->root, "error"))
        shown = take_response_of_agent(a, m);
    if (shown)
        a->ev->message(a->arg, a->line, a->line_n);
}

/* What shows of a line that is no message. */
struct broken_line {
    bool whole; /* it is an object */
    bool asks;
    size_t ids;
    char *id; /* the only one, where it can be read */
};

static bool
is_whole_object(const char *p, size_t n)
{
    size_t span = json_span(p, n, NULL);

    return span > 0 && p[strspn(p, " \t\r")] == '{' &&
           strspn(p + span, " \t\r") >= n - span;
}

static void
look_at_broken_line(const struct agentctl_agent *a, struct broken_line *b)
{
    CLEANUP_BUF struct buf repaired = buf_of(REPAIRED_MAX);
    const char *p = a->line, *id = NULL;
    size_t n = a->line_n, len = 0;

    if (!utf8_valid(p, n)) {
        utf8_repair(&repaired, p, n);
        p = repaired.p;
        n = repaired.len;
    }
    b->whole = !repaired.bad && is_whole_object(p, n);
    if (!b->whole) {
        b->asks = memmem(a->line, a->line_n, METHOD, strlen(METHOD)) != NULL;
        return;
    }
    b->asks = jsonrpc_find(p, n, "method", 1, &id, &len) > 0;
    b->ids = jsonrpc_find(p, n, "id", 2, &id, &len);
    if (b->ids == 1 && len <= JSONRPC_ID_MAX &&
        !memmem(id, len, REPLACED, strlen(REPLACED)))
        b->id = strndup(id, len);
}

/* A line that is no UTF-8, or has a name twice, and so no message. An answer
 * among such lines fails whoever waits for it; all who wait, where it cannot be
 * seen whose it is. */
static void
take_broken_line(struct agentctl_agent *a, const char *fault)
{
    static const char answer[] = "the agent's answer ";
    CLEANUP_BUF struct buf why = buf_of(1024);
    CLEANUP(free_p) char *id = NULL;
    struct broken_line b = {0};
    size_t blanks = strspn(a->line, " \t");

    log_of_agent(a, AGENTCTL_WARN, "the agent wrote a line that %s", fault);
    look_at_broken_line(a, &b);
    id = b.id;
    buf_str(&why, answer);
    buf_str(&why, fault);
    if (!b.asks && id && agentctl_calls_refuse(a->calls, id, why.p))
        return;
    if (!b.asks && !id && (!b.whole || b.ids > 0) && a->line[blanks] == '{')
        (void)agentctl_calls_refuse(a->calls, NULL, why.p);
    a->ev->message(a->arg, a->line, a->line_n);
}

/* What makes it no message at all, so that an answer would be missed; false:
 * nothing does, or it need not be JSON. */
static bool
find_fault(const struct agentctl_agent *a, const struct err *e,
           struct buf *fault)
{
    static const char no_text[] = "is not valid UTF-8";
    static const char has[] = "has a "; /* duplicate name */

    if (!utf8_valid(a->line, a->line_n)) {
        buf_str(fault, no_text);
    } else if (e->code == ERR_INVALID) {
        buf_str(fault, has);
        buf_str(fault, e->text);
    }
    return fault->len > 0;
}

static void
on_message_of_agent(void *arg, struct jsonrpc *m, int rc, struct err *e)
{
    CLEANUP_BUF struct buf fault = buf_of(512);
    struct agentctl_agent *a = arg;
    bool later = a->reading.thread != NULL;

    if (a->reading.text.len > 0)
        a->line = a->reading.text.p;
    if (rc < 0 && !m->root && find_fault(a, e, &fault))
        take_broken_line(a, fault.p);
    else
        take_message_of_agent(a, m);
    if (!later)
        return;
    agentctl_reading_done(&a->reading);
    if (a->process)
        agentctl_process_pause(a->process, false);
}

static void
read_line_of_agent(struct agentctl_agent *a, const char *line, size_t n)
{
    CLEANUP_BUF struct buf whole = buf_of(0);
    struct buf *memory = NULL;

    a->messages_in++;
    a->line = line;
    a->line_n = n;
    a->reading.as_it_is = !agentctl_calls_have_ids(a->calls);
    if (n > PARSE_THREAD_LEAST &&
        agentctl_process_take_line(a->process, &whole))
        memory = &whole;
    if (agentctl_message_parse(&a->reading, a->loop, line, n, memory,
                               on_message_of_agent, a))
        agentctl_process_pause(a->process, true);
}

static void
on_line_of_agent(void *arg, enum agentctl_stream which, const char *line,
                 size_t n)
{
    struct agentctl_agent *a = arg;

    agentctl_output_add(a->output, which, line, n);
    a->ev->output(a->arg);
    if (which == AGENTCTL_STDERR) {
        log_of_agent(a, AGENTCTL_DEBUG, "agent: %.*s", n < 800 ? (int)n : 800,
                     line);
        return;
    }
    a->ev->begun(a->arg);
    if (strspn(line, " \t\r") < n)
        read_line_of_agent(a, line, n);
}

/* Without a message of the agent's, an answer or a question, those who wait for
 * it would wait in vain: the agent is ended. */
static void
on_long_line_of_agent(void *arg, enum agentctl_stream which)
{
    static const char note[] = "(a line was too long, and is left out)";
    struct agentctl_agent *a = arg;

    agentctl_output_add(a->output, which, note, sizeof(note) - 1);
    a->ev->output(a->arg);
    log_of_agent(a, AGENTCTL_WARN, "the agent wrote a line that is too long");
    if (which == AGENTCTL_STDERR || a->overlong)
        return;
    a->overlong = true;
    agentctl_agent_stop(a, true);
}

static void
describe_agent_end(const struct agentctl_agent *a, char how[AGENTCTL_HOW_MAX])
{
    if (a->overlong)
        snprintf(how, AGENTCTL_HOW_MAX, "it wrote a line of more than %u MiB",
                 AGENTCTL_MESSAGE_MAX >> 20);
    else if (a->killed_by)
        snprintf(how, AGENTCTL_HOW_MAX, "signal %d", a->killed_by);
    else
        snprintf(how, AGENTCTL_HOW_MAX, "exit status %d", a->exit_code);
}

static void
on_agent_ended(void *arg)
{
    struct agentctl_agent *a = arg;
    bool asked = agentctl_process_was_stopped(a->process) && !a->overlong;
    char how[AGENTCTL_HOW_MAX];
    struct err why = {0};

    a->exit_code = agentctl_process_status(a->process);
    a->killed_by = agentctl_process_killed_by(a->process);
    a->failed = a->overlong || (!asked && a->exit_code != 0);
    agentctl_process_free(TAKE_PTR(a->process));
    agentctl_reading_done(&a->reading);
    a->stopping = false;
    describe_agent_end(a, how);
    log_of_agent(a, a->failed ? AGENTCTL_ERROR : AGENTCTL_INFO,
                 "the agent has ended: %s", how);
    err_set(&why, ERR_PEER, "%s: %s",
            asked ? "the agent was stopped" : "the agent has ended", how);
    agentctl_calls_fail(a->calls, &why);
    agentctl_questions_clear(&a->questions);
    a->ev->ended(a->arg, how);
}

int
agentctl_agent_start(struct agentctl_agent *a, struct err *e)
{
    static const struct agentctl_process_events events = {
        .line = on_line_of_agent,
        .too_long = on_long_line_of_agent,
        .ended = on_agent_ended};
    const struct agentctl_process_setup set = {
        .loop = a->loop,
        .buffer = a->buffer,
        .seat = a->seat,
        .words = (const char *const *)a->settings->words,
        .environment = a->settings->environment,
        .work_dir = a->settings->work_dir};

    if (a->process)
        return err_set(e, ERR_INVALID, "agent is already running");
    a->output_before = agentctl_output_total(a->output);
    a->process = agentctl_process_start(&set, &events, a, e);
    if (!a->process) {
        a->failed = true;
        a->exit_code = -1;
        a->killed_by = 0;
        return -1;
    }
    a->starts++;
    a->failed = a->stopping = a->overlong = false;
    log_of_agent(a, AGENTCTL_INFO, "the agent is started: %.800s",
                 a->settings->command);
    return 0;
}

void
agentctl_agent_stop(struct agentctl_agent *a, bool force)
{
    if (!a->process)
        return;
    a->stopping = true;
    agentctl_process_stop(a->process, force);
}

bool
agentctl_agent_is_running(const struct agentctl_agent *a)
{
    return a->process != NULL;
}

bool
agentctl_agent_is_idle(struct agentctl_agent *a)
{
    return a->process && agentctl_process_is_idle(a->process);
}

int
agentctl_agent_request(struct agentctl_agent *a, struct agentctl_reading *read,
                       const struct jsonrpc *m, int64_t timeout_ms,
                       agentctl_call_cb *cb, void *arg, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(AGENTCTL_LINE_MAX);
    char id[24];
    int64_t n;

    if (!a->process)
        return err_set(e, ERR_NOT_FOUND, "agent is not running");
    n = agentctl_calls_add(a->calls, m->id, timeout_ms, cb, arg, e);
    if (n < 0)
        return -1;
    snprintf(id, sizeof(id), "%" PRId64, n);
    agentctl_message_finish(&line, read, m->root, id);
    if (write_to_agent(a, &line, e) == 0)
        return 0;
    agentctl_calls_remove(a->calls, n);
    return -1;
}

int
agentctl_agent_notify(struct agentctl_agent *a, struct agentctl_reading *read,
                      const struct jsonrpc *m, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(AGENTCTL_LINE_MAX);

    agentctl_message_finish(&line, read, m->root, NULL);
    return write_to_agent(a, &line, e);
}

int
agentctl_agent_answer(struct agentctl_agent *a, struct agentctl_reading *read,
                      const struct jsonrpc *m, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(AGENTCTL_LINE_MAX);
    CLEANUP(free_p) char *id = NULL;

    if (!a->process)
        return err_set(e, ERR_NOT_FOUND, "agent is not running");
    if (!(id = agentctl_questions_take(&a->questions, m)))
        return err_set(e, ERR_INVALID,
                       "no request of the agent's with this id is open");
    agentctl_message_finish(&line, read, m->root, id);
    return write_to_agent(a, &line, e);
}

void
agentctl_agent_leave_calls(struct agentctl_agent *a, const void *arg)
{
    agentctl_calls_leave(a->calls, arg);
}

void
agentctl_agent_yield_calls(struct agentctl_agent *a, const void *arg)
{
    agentctl_calls_yield(a->calls, arg);
}

void
agentctl_agent_each_question(const struct agentctl_agent *a,
                             void (*each)(void *arg, const char *line,
                                          size_t n),
                             void *arg)
{
    agentctl_questions_each(&a->questions, each, arg);
}

void
agentctl_agent_put_errors(const struct agentctl_agent *a, struct buf *out)
{
    agentctl_output_put_errors(a->output, a->output_before, ERRORS_MAX, out);
}

/* Why we ended it, and what it last wrote on standard error. */
static void
put_last_errors(const struct agentctl_agent *a, struct json_writer *w)
{
    CLEANUP_BUF struct buf why = buf_of(2 * ERRORS_MAX);
    CLEANUP_BUF struct buf errors = buf_of(2 * ERRORS_MAX);
    char how[AGENTCTL_HOW_MAX];

    agentctl_agent_put_errors(a, &errors);
    if (a->overlong) {
        describe_agent_end(a, how);
        buf_printf(&why, "%s%s", how, errors.len > 0 ? ": " : "");
    }
    buf_add(&why, errors.p, errors.len);
    if (why.len > 0) {
        json_key(w, "error");
        json_put_strn(w, why.p, why.len);
    }
}

void
agentctl_agent_put_status(struct agentctl_agent *a, struct json_writer *w)
{
    const char *status = !a->process   ? "stopped"
                         : a->stopping ? "stopping"
                                       : "running";

    json_member_str(w, "agent_status", status);
    json_key(w, "process_info");
    json_open_object(w);
    json_member_str(w, "status", status);
    if (a->process)
        json_member_int(w, "pid", agentctl_process_pid(a->process));
    json_member_int(w, "exit_code", a->process ? -1 : a->exit_code);
    if (!a->process && a->killed_by)
        json_member_int(w, "signal", a->killed_by);
    if (!a->process && a->failed)
        put_last_errors(a, w);
    json_close_object(w);
}

const struct agentctl_output *
agentctl_agent_output(const struct agentctl_agent *a)
{
    return a->output;
}

void
agentctl_agent_put_metrics(const struct agentctl_agent *a, struct buf *out)
{
    server_http_put_metric(out, "agentctl_agent_running", "gauge",
                           "Whether the agent runs.", a->process != NULL);
    server_http_put_metric(out, "agentctl_agent_starts_total", "counter",
                           "How often it was started.", a->starts);
    server_http_put_metric(out, "agentctl_calls_open", "gauge",
                           "Requests whose answer somebody waits for.",
                           agentctl_calls_open(a->calls));
    server_http_put_metric(out, "agentctl_calls_total", "counter",
                           "Requests to the agent.",
                           agentctl_calls_total(a->calls));
    server_http_put_metric(out, "agentctl_questions_open", "gauge",
                           "Requests of the agent's that wait for an answer.",
                           a->questions.n);
    server_http_put_metric(out, "agentctl_messages_read_total", "counter",
                           "Lines of the agent's standard output.",
                           a->messages_in);
    server_http_put_metric(out, "agentctl_messages_written_total", "counter",
                           "Messages to the agent.", a->messages_out);
    server_http_put_metric(out, "agentctl_output_lines_total", "counter",
                           "Lines of its output and standard error.",
                           agentctl_output_total(a->output));
}
