/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_run.c - runs the approved steps of a plan on other hosts. */
#include "action/remote_run.h"

#include <stdlib.h>

/* One host of the run. */
struct run_host {
    struct remote_run *run;
    struct remote_host *host;
    const char *name;
    bool failed; /* it gets no further step */
};

struct remote_run {
    struct remote_run_params set;
    const struct remote_run_events *ev;
    void *arg;
    struct read_buffer *buffer;
    struct run_host hosts[HOST_LIST_MAX];
    size_t left; /* hosts on which the step runs */
};

static void
on_host_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct run_host *h = arg;

    h->run->ev->output(h->run->arg, h->name, stream, bytes, n);
}

static size_t
count_failed(const struct remote_run *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->set.hosts->n; i++)
        n += r->hosts[i].failed;
    return n;
}

bool
remote_run_failed(const struct remote_run *r, struct err *e)
{
    CLEANUP_BUF
    struct buf names = buf_of(HOST_LIST_MAX * (HOST_LIST_NAME_MAX + 3u));
    size_t n = count_failed(r);

    for (size_t i = 0; i < r->set.hosts->n; i++)
        if (r->hosts[i].failed)
            buf_printf(&names, "%s%s", names.len > 0 ? ", " : "",
                       r->hosts[i].name);
    if (n > 0 && r->set.hosts->n == 1)
        err_set(e, ERR_TOOL, "failed on %.180s", names.p);
    else if (n > 0)
        err_set(e, ERR_TOOL, "failed on %zu of %zu hosts: %.180s%s", n,
                r->set.hosts->n, names.p, names.len > 180 ? "…" : "");
    return n > 0;
}

static void
on_host_ended(void *arg, const struct remote_end *end)
{
    struct run_host *h = arg;
    struct remote_run *r = h->run;
    struct err why = {0};
    bool last = --r->left == 0;

    h->failed = end->exit_code != 0;
    r->ev->complete(r->arg, h->name, end, last);
    if (h->failed)
        remote_host_stop(h->host);
    if (!last)
        return;
    if (count_failed(r) == r->set.hosts->n && remote_run_failed(r, &why))
        r->ev->over(r->arg, &why);
    else
        r->ev->over(r->arg, NULL);
}

void
remote_run_start(struct remote_run *r, const struct remote_command *c)
{
    for (size_t i = 0; i < r->set.hosts->n; i++)
        r->left += !r->hosts[i].failed;
    for (size_t i = 0; i < r->set.hosts->n; i++)
        if (!r->hosts[i].failed)
            remote_host_start(r->hosts[i].host, c);
}

void
remote_run_stop(struct remote_run *r)
{
    r->left = 0;
    for (size_t i = 0; i < r->set.hosts->n; i++)
        if (r->hosts[i].host)
            remote_host_stop(r->hosts[i].host);
}

bool
remote_run_is_running(const struct remote_run *r)
{
    return r->left > 0;
}

void
remote_run_signal(struct remote_run *r, int signo)
{
    for (size_t i = 0; i < r->set.hosts->n; i++)
        remote_host_signal(r->hosts[i].host, signo);
}

void
remote_run_pause(struct remote_run *r, bool paused)
{
    for (size_t i = 0; i < r->set.hosts->n; i++)
        remote_host_pause(r->hosts[i].host, paused);
}

struct remote_run *
remote_run_new(const struct remote_run_params *p,
               const struct remote_run_events *ev, void *arg, struct err *e)
{
    static const struct remote_host_events events = {.output = on_host_output,
                                                     .ended = on_host_ended};
    struct remote_run *r = calloc(1, sizeof(*r));
    struct remote_link_params link = {
        .loop = p->loop, .seat = p->seat, .wait_ms = p->wait_ms};

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    *r = (struct remote_run){.set = *p, .ev = ev, .arg = arg};
    link.buffer = r->buffer = read_buffer_new(e);
    for (size_t i = 0; r->buffer && i < p->hosts->n; i++) {
        struct run_host *h = &r->hosts[i];

        link.host = p->hosts->names[i];
        *h = (struct run_host){.run = r, .name = link.host};
        if (!(h->host = remote_host_new(&link, &events, h, e)))
            break;
    }
    if (r->buffer && r->hosts[p->hosts->n - 1].host)
        return r;
    remote_run_free(r);
    return NULL;
}

void
remote_run_free(struct remote_run *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->set.hosts->n; i++)
        remote_host_free(r->hosts[i].host);
    read_buffer_free(r->buffer);
    free(r);
}
