/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.c - the front's lines, one question at a time, until it goes. */
#include "model/process/session.h"

#include <unistd.h>

#include "base/fd.h"
#include "base/linebuf.h"
#include "model/process/emit.h"
#include "model/process/job.h"
#include "model/process/probe.h"

struct session {
    struct loop *loop;
    struct pump *pump;
    struct linebuf *in;
    struct job *job;
    struct probe *probe;
    struct err why; /* of the end; ERR_NONE when the front just went */
};

static void
session_done(struct session *s)
{
    job_free(s->job);
    probe_free(s->probe);
    pump_free(s->pump);
    linebuf_free(s->in);
    loop_free(s->loop);
}

static void
on_job_end(void *arg)
{
    struct session *s = arg;

    job_free(s->job);
    s->job = NULL;
}

static void
on_arrived(void *arg)
{
    struct session *s = arg;

    if (s->job)
        job_flush(s->job);
}

static void
on_probe_end(void *arg)
{
    struct session *s = arg;

    probe_free(s->probe);
    s->probe = NULL;
}

static int
take_ask(struct session *s, struct json *root, struct err *e)
{
    struct asked *q = asked_new(root, e);

    if (!q)
        return -1;
    if (s->job) {
        asked_free(q);
        return err_set(e, ERR_PEER, "a request before the previous one ended");
    }
    s->job = job_start(s->loop, s->pump, q, on_job_end, s, e);
    return s->job ? 0 : -1;
}

static int
take_line(struct session *s, const char *line, size_t n, struct err *e)
{
    struct json *root = json_parse(line, n, JSON_UNIQUE, e);
    const struct json *v;
    int64_t id;

    if (!root)
        return -1;
    if (json_get(root, "ask"))
        return take_ask(s, root, e);
    v = json_get(root, "probe");
    if (v && !s->probe) {
        s->probe = probe_start(s->loop, s->pump, v, on_probe_end, s, e);
    } else if (json_int(json_get(root, "cancel"), &id)) {
        if (s->job && job_id(s->job) == id)
            job_cancel(s->job);
    }
    json_free(root);
    return 0;
}

static void
on_input(void *arg, unsigned events)
{
    struct session *s = arg;
    const char *line;
    size_t len;
    struct err e = {0};
    long n = linebuf_read(s->in, STDIN_FILENO, &e);

    (void)events;
    if (n < 0 && e.sys == EAGAIN)
        return;
    while (n > 0 && (line = linebuf_next(s->in, &len)) != NULL) {
        if (take_line(s, line, len, &e) < 0)
            n = -1;
    }
    if (n > 0)
        return;
    s->why = e;
    loop_stop(s->loop);
}

int
session_run(struct err *e)
{
    CLEANUP(session_done) struct session s = {0};

    s.loop = loop_new(e);
    s.pump = s.loop ? pump_new(s.loop, on_arrived, &s, e) : NULL;
    s.in = linebuf_new(ASK_LINE_MAX, e);
    if (!s.pump || !s.in || fd_set_nonblock(STDIN_FILENO, true, e) < 0 ||
        !loop_fd(s.loop, STDIN_FILENO, LOOP_READ, on_input, &s, e) ||
        loop_run(s.loop, e) < 0)
        return -1;
    *e = s.why;
    return e->code == ERR_NONE ? 0 : -1;
}
