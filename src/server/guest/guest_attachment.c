/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_attachment.c - sends the output of a process to a connection. */
#include "server/guest/guest_attachment.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "server/guest/guest_params.h"
#include "json/write.h"

#define CHUNK_BYTES (48u << 10) /* of output in one notification */
/* Of output that is not yet sent: the process goes on until there is that much
 * more. It is less than what is kept. */
#define LAG_MAX (GUEST_PROCESS_KEPT / 2)

struct guest_attachment {
    struct guest_listener listener;
    struct guest_task task;
    struct guest_process *process;
    uint64_t next_byte[GUEST_STREAMS];
    bool wants[GUEST_STREAMS];
};

static const char *const stream_names[] = {"stdout", "stderr"};

static struct guest_attachment *
attachment_of(struct guest_task *t)
{
    return (struct guest_attachment *)(void *)((char *)t -
                                               offsetof(struct guest_attachment,
                                                        task));
}

/* Its connection is being freed. */
static void
leave_connection(struct guest_task *t)
{
    struct guest_attachment *a = attachment_of(t);

    guest_process_unlisten(a->process, &a->listener);
    free(a);
}

/* Its process is being freed. */
static void
leave_process(struct guest_listener *l)
{
    struct guest_attachment *a = (struct guest_attachment *)(void *)l;

    guest_task_end(&a->task);
    free(a);
}

static void
notify_peer(const struct guest_attachment *a, const char *method,
            const struct buf *params)
{
    (void)rpc_notify(a->task.connection->rpc, method, params, NULL);
}

/* Sends the next bytes of a stream. False: there are none. */
static bool
send_next_output(struct guest_attachment *a, enum guest_stream which)
{
    const struct guest_process *p = a->process;
    CLEANUP_BUF struct buf raw = buf_of(CHUNK_BYTES);
    CLEANUP_BUF struct buf params = buf_of(2 * CHUNK_BYTES);
    ssize_t n;

    if (!a->wants[which] ||
        a->next_byte[which] < guest_spool_first(&p->streams[which]) ||
        a->next_byte[which] >= guest_spool_end(&p->streams[which]) ||
        buf_room(&raw, CHUNK_BYTES) < 0)
        return false;
    n = guest_spool_read(&p->streams[which], a->next_byte[which], raw.p,
                         CHUNK_BYTES, NULL);
    if (n <= 0)
        return false;
    buf_printf(&params,
               "{\"id\":%" PRId64 ",\"stream\":\"%s\",\"offset\":%" PRIu64
               ",\"data\":\"",
               p->id, stream_names[which], a->next_byte[which]);
    (void)base64_encode(&params, raw.p, (size_t)n);
    buf_str(&params, "\"}");
    a->next_byte[which] += (uint64_t)n;
    notify_peer(a, "process.output", &params);
    return true;
}

static void
send_exit(struct guest_attachment *a)
{
    CLEANUP_BUF struct buf params = buf_of(256);
    struct json_writer w;

    json_write_init(&w, &params);
    json_open_object(&w);
    json_member_int(&w, "id", a->process->id);
    guest_process_put_end(a->process, &w);
    json_close_object(&w);
    notify_peer(a, "process.exit", &params);
}

/* Sends what there is, as far as there is room. */
static bool
advance_attachment(struct guest_listener *l)
{
    struct guest_attachment *a = (struct guest_attachment *)(void *)l;
    struct rpc *rpc = a->task.connection->rpc;
    bool more = true;

    if (a->task.connection->freed)
        return false; /* leave_connection follows */

    while (more && !rpc_is_full(rpc)) {
        bool out = send_next_output(a, GUEST_STDOUT);

        more = (!rpc_is_full(rpc) && send_next_output(a, GUEST_STDERR)) || out;
    }
    if (more || a->process->command)
        return false;
    send_exit(a);
    guest_task_end(&a->task);
    free(a);
    return true;
}

static bool
attachment_lags(const struct guest_listener *l)
{
    const struct guest_attachment *a = (const void *)l;

    if (a->task.connection->freed)
        return false;
    for (size_t i = 0; i < GUEST_STREAMS; i++) {
        if (a->wants[i] &&
            guest_spool_end(&a->process->streams[i]) - a->next_byte[i] >
                LAG_MAX)
            return true;
    }
    return false;
}

void
guest_attachment_room(struct guest_connection *c)
{
    for (struct guest_process *p = c->shared->processes; p; p = p->next) {
        if (p->listeners)
            guest_process_advance(p);
    }
}

/* Where a stream begins: at an offset that the peer names, else at the first
 * byte that is kept. */
static int
choose_offset(struct guest_attachment *a, enum guest_stream which,
              const struct json *from, const char *name, struct err *e)
{
    const struct guest_spool *s = &a->process->streams[which];
    uint64_t first = guest_spool_first(s), end = guest_spool_end(s);
    int64_t at = (int64_t)first;

    if (guest_params_int(from, name, 0, INT64_MAX, &at, e) < 0)
        return -1;
    if ((uint64_t)at < first)
        return err_set(e, ERR_INVALID,
                       "invalid params: %s: the first byte that is kept is "
                       "%" PRIu64,
                       name, first);
    if ((uint64_t)at > end)
        return err_set(e, ERR_INVALID,
                       "invalid params: %s: there are only %" PRIu64 " bytes",
                       name, end);
    a->next_byte[which] = (uint64_t)at;
    return 0;
}

static int
choose_streams(struct guest_attachment *a, const struct json *name,
               struct err *e)
{
    const char *only = json_text(name);

    for (size_t i = 0; i < GUEST_STREAMS; i++)
        a->wants[i] = !name || (only && strcmp(only, stream_names[i]) == 0);
    if (a->wants[GUEST_STDOUT] || a->wants[GUEST_STDERR])
        return 0;
    return err_set(e, ERR_INVALID,
                   "invalid params: stream must be stdout or stderr");
}

static void
answer_attached(const struct guest_attachment *a, struct rpc_request *rq)
{
    CLEANUP_BUF struct buf result = buf_of(256);
    struct json_writer w;

    json_write_init(&w, &result);
    json_open_object(&w);
    json_member_int(
        &w, "from",
        (int64_t)
            a->next_byte[a->wants[GUEST_STDOUT] ? GUEST_STDOUT : GUEST_STDERR]);
    if (a->wants[GUEST_STDOUT] && !a->process->terminal)
        json_member_int(&w, "from_stderr", (int64_t)a->next_byte[GUEST_STDERR]);
    json_close_object(&w);
    rpc_answer(rq, &result);
}

static int
read_attachment(struct guest_attachment *a, const struct guest_shared *sh,
                const struct json *params, struct err *e)
{
    static const struct guest_param list[] = {
        {"id", JSON_NUMBER, false},
        {"from", JSON_NUMBER, true},
        {"from_stderr", JSON_NUMBER, true},
        {"stream", JSON_STRING, true},
        {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    const struct json *from_stderr;

    if (guest_params_read(list, params, v, e) < 0 ||
        !(a->process = guest_process_find(sh, v[0], e)) ||
        choose_streams(a, v[3], e) < 0)
        return -1;
    from_stderr = a->wants[GUEST_STDOUT] || v[2] ? v[2] : v[1];
    if ((a->wants[GUEST_STDOUT] &&
         choose_offset(a, GUEST_STDOUT, v[1], "from", e) < 0) ||
        (a->wants[GUEST_STDERR] &&
         choose_offset(a, GUEST_STDERR, from_stderr, "from_stderr", e) < 0))
        return -1;
    return 0;
}

/* A connection is attached to a process once: what is sent twice would only be
 * read twice. */
static int
check_attached(const struct guest_connection *c, const struct guest_process *p,
               struct err *e)
{
    for (struct guest_listener *l = p->listeners; l; l = l->next) {
        if (((struct guest_attachment *)(void *)l)->task.connection == c)
            return err_set(e, ERR_INVALID,
                           "invalid params: id: it is attached already");
    }
    return 0;
}

void
guest_attachment_begin(void *arg, struct rpc_request *rq,
                       const struct json *params)
{
    struct guest_connection *c = arg;
    struct guest_attachment *a = calloc(1, sizeof(*a));
    struct err e = {0};

    if (!a)
        err_nomem(&e);
    if (!a || read_attachment(a, c->shared, params, &e) < 0 ||
        check_attached(c, a->process, &e) < 0) {
        guest_refuse(rq, &e);
        free(a);
        return;
    }
    answer_attached(a, rq);
    a->listener = (struct guest_listener){.next = a->process->listeners,
                                          .advance = advance_attachment,
                                          .lags = attachment_lags,
                                          .leave = leave_process};
    a->process->listeners = &a->listener;
    a->task.leave = leave_connection;
    a->task.sends = true;
    guest_task_begin(&a->task, c);
    guest_process_advance(a->process);
}
