/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_process.c - commands that outlive their call and their connection. */
#include "server/guest/guest_process.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/shell_quote.h"
#include "base/utf8.h"
#include "server/guest/guest_params.h"
#include "server/guest/guest_record.h"
#include "server/guest/guest_start.h"
#include "json/write.h"

#define LIST_MAX       (4u << 20) /* titles, all of them escaped */
#define TITLE_MAX      4096
#define INPUT_MAX      (12u << 20) /* bytes, as base64 in one message */
#define SIZE_MAX_CELLS 65535

/* A request that waits for the end of a process. */
struct guest_waiter {
    struct guest_task task;
    struct guest_waiter *next;
    struct guest_process *process;
    struct rpc_request *rq;
};

struct guest_process *
guest_process_find(const struct guest_shared *sh, const struct json *id,
                   struct err *e)
{
    struct guest_process *p = sh->processes;
    int64_t number = 0;

    while (p && (!json_int(id, &number) || p->id != number))
        p = p->next;
    if (!p)
        err_set(e, ERR_INVALID, "invalid params: id: there is no such process");
    return p;
}

void
guest_process_unlisten(struct guest_process *p, struct guest_listener *l)
{
    struct guest_listener **at = &p->listeners;

    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    if (p->command)
        guest_process_advance(p);
}

void
guest_process_advance(struct guest_process *p)
{
    struct guest_listener **at = &p->listeners;
    bool lags = false;

    while (*at) {
        struct guest_listener *l = *at, *next = l->next;

        if (l->advance(l)) {
            *at = next;
            continue;
        }
        lags = lags || l->lags(l);
        at = &l->next;
    }
    if (p->command)
        guest_command_pause(p->command, lags);
}

void
guest_process_put_end(const struct guest_process *p, struct json_writer *w)
{
    json_member_int(w, "exit_code", p->status);
    if (p->killed_by)
        json_member_int(w, "signal", p->killed_by);
}

/* Answers with an object of no members. */
static void
answer_empty(struct rpc_request *rq)
{
    CLEANUP_BUF struct buf result = buf_of(8);

    buf_str(&result, "{}");
    rpc_answer(rq, &result);
}

static void
answer_end(struct guest_waiter *x)
{
    CLEANUP_BUF struct buf result = buf_of(256);
    const struct guest_process *p = x->process;
    struct json_writer w;

    json_write_init(&w, &result);
    json_open_object(&w);
    guest_process_put_end(p, &w);
    json_member_int(&w, "stdout_bytes",
                    (int64_t)p->streams[GUEST_STDOUT].total);
    json_member_int(&w, "stderr_bytes",
                    (int64_t)p->streams[GUEST_STDERR].total);
    json_close_object(&w);
    rpc_answer(x->rq, &result);
    guest_task_end(&x->task);
    free(x);
}

static void
answer_waiters(struct guest_process *p)
{
    while (p->waiters) {
        struct guest_waiter *x = p->waiters;

        p->waiters = x->next;
        answer_end(x);
    }
}

static void
guest_process_free(struct guest_process *p)
{
    if (!p)
        return;
    while (p->listeners) {
        struct guest_listener *l = p->listeners;

        p->listeners = l->next;
        l->leave(l);
    }
    guest_command_free(p->command);
    for (size_t i = 0; i < GUEST_STREAMS; i++)
        guest_spool_done(&p->streams[i]);
    free(p->title);
    free(p);
}
DEFINE_CLEANUP(struct guest_process, guest_process_free)

void
guest_process_end_all(struct guest_shared *sh)
{
    while (sh->processes) {
        struct guest_process *p = sh->processes;

        sh->processes = p->next;
        guest_process_free(p);
    }
}

/* Makes room for one more: the oldest goes that has ended and is not read. */
static int
make_place(struct guest_shared *sh, struct err *e)
{
    struct guest_process **oldest = NULL, *p;

    if (sh->n_processes < GUEST_PROCESSES_MAX)
        return 0;
    for (struct guest_process **at = &sh->processes; *at; at = &(*at)->next) {
        if (!(*at)->command && !(*at)->listeners)
            oldest = at;
    }
    if (!oldest)
        return err_set(e, ERR_NOMEM,
                       "%d processes run already, or are still read",
                       GUEST_PROCESSES_MAX);
    p = *oldest;
    *oldest = p->next;
    sh->n_processes--;
    guest_process_free(p);
    return 0;
}

static void
on_process_output(void *arg, enum guest_stream which, const char *bytes,
                  size_t n)
{
    struct guest_process *p = arg;
    struct err e = {0};

    if (guest_spool_add(&p->streams[which], bytes, n, &e) < 0)
        p->shared->log(p->shared->arg, e.text);
    if (p->listeners)
        guest_process_advance(p);
}

static void
on_process_ended(void *arg)
{
    struct guest_process *p = arg;

    p->status = guest_command_status(p->command);
    p->killed_by = guest_command_killed_by(p->command);
    guest_command_free(TAKE_PTR(p->command));
    guest_record_process_end(p);
    guest_process_advance(p);
    answer_waiters(p);
}

static void
answer_started(const struct guest_process *p, struct rpc_request *rq)
{
    CLEANUP_BUF struct buf result = buf_of(128);

    buf_printf(&result, "{\"id\":%" PRId64 ",\"pid\":%d}", p->id, (int)p->pid);
    rpc_answer(rq, &result);
}

/* A command line that shows what is run, cut where it is long. */
static char *
take_title(const struct guest_start *start, struct err *e)
{
    CLEANUP_BUF struct buf title = buf_of(5 * GUEST_START_WORDS);

    for (size_t i = 0; start->argv[i] && title.len <= TITLE_MAX; i++) {
        buf_str(&title, i > 0 ? " " : "");
        shell_quote_word(&title, start->argv[i]);
    }
    if (buf_ok(&title, "the command line", e) < 0)
        return NULL;
    if (title.len > TITLE_MAX) {
        title.len = utf8_boundary(title.p, title.len, TITLE_MAX);
        buf_str(&title, "...");
    }
    return buf_take(&title);
}

static struct guest_process *
start_guest_process(struct guest_connection *c, const struct json *params,
                    struct err *e)
{
    static const struct guest_command_events events = {
        .output = on_process_output, .ended = on_process_ended};
    struct guest_shared *sh = c->shared;
    CLEANUP(guest_process_free_p)
    struct guest_process *p = calloc(1, sizeof(*p));
    CLEANUP(guest_start_done) struct guest_start start = {0};

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < GUEST_STREAMS; i++)
        guest_spool_init(&p->streams[i], sh->temp_dir, GUEST_PROCESS_KEPT,
                         true);
    if (guest_start_read(&start, sh, params, e) < 0 || make_place(sh, e) < 0)
        return NULL;
    if (!(p->title = take_title(&start, e)))
        return NULL;
    p->shared = sh;
    p->terminal = start.spec.tty != NULL;
    p->began_ms = guest_start_now_ms();
    start.spec.settings = c->settings;
    p->command = guest_command_start(sh, GUEST_AGENT, &start.spec, &events, p,
                                     e);
    if (!p->command)
        return NULL;
    p->pid = guest_command_pid(p->command);
    p->id = ++sh->last_process;
    p->next = sh->processes;
    sh->processes = p;
    sh->n_processes++;
    return TAKE_PTR(p);
}

void
guest_process_start(void *arg, struct rpc_request *rq,
                    const struct json *params)
{
    struct guest_connection *c = arg;
    struct guest_process *p;
    struct err e = {0};

    guest_record_request(c, "process.start", params);
    p = start_guest_process(c, params, &e);
    if (p) {
        answer_started(p, rq);
        return;
    }
    guest_record_failed(c, e.text);
    guest_refuse(rq, &e);
}

/* Reads the params of a method about one process; NULL: it was refused. */
static struct guest_process *
read_process_param(struct guest_connection *c, struct rpc_request *rq,
                   const struct guest_param *list, const struct json *params,
                   const struct json **v)
{
    struct guest_process *p = NULL;
    struct err e = {0};

    if (guest_params_read(list, params, v, &e) < 0 ||
        !(p = guest_process_find(c->shared, v[0], &e)))
        guest_refuse(rq, &e);
    return p;
}

/* The same for a process that runs. */
static struct guest_process *
read_running_param(struct guest_connection *c, struct rpc_request *rq,
                   const struct guest_param *list, const struct json *params,
                   const struct json **v)
{
    struct guest_process *p = read_process_param(c, rq, list, params, v);
    struct err e = {0};

    if (!p || p->command)
        return p;
    err_set(&e, ERR_NOT_FOUND, "process %" PRId64 " has ended", p->id);
    guest_refuse(rq, &e);
    return NULL;
}

void
guest_process_input(void *arg, struct rpc_request *rq,
                    const struct json *params)
{
    static const struct guest_param list[] = {
        {"id", JSON_NUMBER, false}, {"data", JSON_STRING, false}, {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    const struct guest_process *p;
    CLEANUP_BUF struct buf bytes = buf_of(INPUT_MAX);
    struct err e = {0};
    const char *data;
    size_t n;

    guest_record_request(arg, "process.input", params);
    p = read_running_param(arg, rq, list, params, v);
    if (!p)
        return;
    data = json_str(v[1], &n);
    if (base64_decode(&bytes, data, n, &e) < 0) {
        err_wrap(&e, "invalid params: data");
        guest_refuse(rq, &e);
    } else if (guest_command_input(p->command, bytes.p, bytes.len, &e) < 0)
        guest_refuse(rq, &e);
    else
        answer_empty(rq);
}

void
guest_process_close_input(void *arg, struct rpc_request *rq,
                          const struct json *params)
{
    static const struct guest_param list[] = {{"id", JSON_NUMBER, false}, {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    const struct guest_process *p = read_running_param(arg, rq, list, params,
                                                       v);

    if (!p)
        return;
    guest_command_close_input(p->command);
    answer_empty(rq);
}

void
guest_process_resize(void *arg, struct rpc_request *rq,
                     const struct json *params)
{
    static const struct guest_param list[] = {{"id", JSON_NUMBER, false},
                                              {"rows", JSON_NUMBER, false},
                                              {"cols", JSON_NUMBER, false},
                                              {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    const struct guest_process *p = read_running_param(arg, rq, list, params,
                                                       v);
    int64_t rows = 0, cols = 0;
    struct winsize size = {0};
    struct err e = {0};

    if (!p)
        return;
    if (guest_params_int(v[1], "rows", 1, SIZE_MAX_CELLS, &rows, &e) < 0 ||
        guest_params_int(v[2], "cols", 1, SIZE_MAX_CELLS, &cols, &e) < 0) {
        guest_refuse(rq, &e);
        return;
    }
    size.ws_row = (unsigned short)rows;
    size.ws_col = (unsigned short)cols;
    if (guest_command_resize(p->command, &size, &e) < 0)
        guest_refuse(rq, &e);
    else
        answer_empty(rq);
}

/* A signal by its name, with or without SIG, or its number. 0: it is none. */
static int
find_signal(const struct json *v)
{
    const char *name = json_text(v);
    int64_t number = 0;

    if (json_int(v, &number))
        return number > 0 && number < NSIG ? (int)number : 0;
    if (!name)
        return 0;
    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    for (int s = 1; s < NSIG; s++) {
        const char *known = sigabbrev_np(s);

        if (known && strcmp(known, name) == 0)
            return s;
    }
    return 0;
}

void
guest_process_signal(void *arg, struct rpc_request *rq,
                     const struct json *params)
{
    static const struct guest_param list[] = {{"id", JSON_NUMBER, false}, {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    struct guest_connection *c = arg;
    const struct guest_process *p;
    struct err e = {0};
    int signo;

    guest_record_request(c, "process.signal", params);
    p = read_running_param(c, rq, list, params, v);
    if (!p)
        return;
    signo = find_signal(json_get(params, "signal"));
    if (signo == 0) {
        err_set(&e, ERR_INVALID,
                "invalid params: signal must be a signal's name or number");
        guest_refuse(rq, &e);
        return;
    }
    guest_command_signal(p->command, signo);
    answer_empty(rq);
}

static void
unlink_waiter(const struct guest_waiter *x)
{
    struct guest_waiter **at = &x->process->waiters;

    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
}

static void
leave_waiter(struct guest_task *t)
{
    struct guest_waiter *x = (struct guest_waiter *)(void *)t;
    struct err e = {0};

    unlink_waiter(x);
    guest_refuse(x->rq, &e); /* which only frees it */
    free(x);
}

/* The peer sends no more, and has waited long enough. */
static void
cut_waiter(struct guest_task *t, const char *note)
{
    struct guest_waiter *x = (struct guest_waiter *)(void *)t;
    struct rpc_request *rq = x->rq;
    struct err e = {0};

    (void)note;
    unlink_waiter(x);
    err_set(&e, ERR_INTERRUPTED, "it still runs, and the peer sends no more");
    guest_refuse(rq, &e);
    guest_task_end(t);
    free(x);
}

void
guest_process_wait(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct guest_param list[] = {{"id", JSON_NUMBER, false}, {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    struct guest_connection *c = arg;
    struct guest_process *p = read_process_param(c, rq, list, params, v);
    struct guest_waiter *x;
    struct err e = {0};

    if (!p)
        return;
    x = calloc(1, sizeof(*x));
    if (!x) {
        err_nomem(&e);
        guest_refuse(rq, &e);
        return;
    }
    x->process = p;
    x->rq = rq;
    x->task.cut = cut_waiter;
    x->task.leave = leave_waiter;
    guest_task_begin(&x->task, c);
    if (!p->command) {
        answer_end(x);
        return;
    }
    x->next = p->waiters;
    p->waiters = x;
}

static void
put_process(struct json_writer *w, const struct guest_process *p)
{
    json_open_object(w);
    json_member_int(w, "id", p->id);
    json_member_int(w, "pid", p->pid);
    json_member_str(w, "command", p->title);
    json_member_int(w, "started_ms", p->began_ms);
    json_member_bool(w, "tty", p->terminal);
    json_member_bool(w, "running", p->command != NULL);
    if (!p->command)
        guest_process_put_end(p, w);
    json_member_int(w, "stdout_bytes", (int64_t)p->streams[0].total);
    json_member_int(w, "stderr_bytes", (int64_t)p->streams[1].total);
    json_close_object(w);
}

void
guest_process_list(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct guest_connection *c = arg;
    CLEANUP_BUF struct buf result = buf_of(LIST_MAX);
    struct json_writer w;

    (void)params;
    json_write_init(&w, &result);
    json_open_object(&w);
    json_key(&w, "processes");
    json_open_array(&w);
    for (const struct guest_process *p = c->shared->processes; p; p = p->next)
        put_process(&w, p);
    json_close_array(&w);
    json_close_object(&w);
    rpc_answer(rq, &result);
}
