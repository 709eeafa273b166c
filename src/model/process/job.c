/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c - one question: its requests, and the bytes that come back. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/offer.h"
#include "model/process/emit.h"
#include "model/process/job_in.h"

#define ERROR_BODY_MAX (256u << 10) /* of an error, the rest is not read */

/* An answer that has said its last word may leave the response open; the end
 * is waited for this long, so that the connection can be used again. */
#define GRACE_MS 150

/* Text goes to the front at once, but not more often than this: a person sees
 * no difference, and every event costs two processes their sleep. */
#define FLUSH_MS 4

static int
take_error(struct job *j, const char *bytes, size_t n)
{
    size_t room = j->error.max - j->error.len;

    buf_add(&j->error, bytes, n < room ? n : room);
    return n <= room ? 0 : -1;
}

static void
flush(struct job *j)
{
    const char *news;
    size_t n;

    j->late_text = false;
    if (!j->drafting || j->draft.faulty)
        return;
    news = draft_news(&j->draft, &n);
    if (!news)
        return;
    j->flushed_ms = clock_ms();
    emit_text(j->q->a.id, news, n);
}

static void
on_flush(void *arg, unsigned events)
{
    (void)events;
    flush(arg);
}

void
job_flush(struct job *j)
{
    if (j->late_text || !j->drafting || j->draft.told == j->draft.text.len)
        return;
    if (clock_ms() - j->flushed_ms >= FLUSH_MS) {
        flush(j);
        return;
    }
    j->late_text = true;
    watch_again(j->flush, FLUSH_MS);
}

static int
on_body(void *arg, int status, const char *bytes, size_t n)
{
    struct job *j = arg;
    int rc;

    if (status < 200 || status > 299)
        return take_error(j, bytes, n);
    rc = stream_add(j->stream, bytes, n, &j->broken);
    if (j->draft.reasoned && !j->thought)
        emit_word(j->q->a.id, "thinking");
    j->thought |= j->draft.reasoned;
    if (rc == 0 && j->draft.complete)
        watch_again(j->pause, GRACE_MS);
    return rc;
}

static void
on_end(void *arg, struct exchange *x)
{
    (void)x;
    judge(arg);
}

static int
prepare(struct job *j, struct err *e)
{
    static const enum draft_calls calls[] = {
        [OFFER_NONE] = CALLS_NONE,
        [OFFER_TOOLS] = CALLS_NATIVE,
        [OFFER_TEXT] = CALLS_TEXT,
    };
    const struct call *c = &j->call;

    buf_clear(&j->headers);
    buf_clear(&j->body);
    buf_clear(&j->error);
    stream_free(j->stream);
    if (j->drafting)
        draft_done(&j->draft);
    draft_init(&j->draft, call_shape(c) == SHAPE_TOOL, j->q->a.key);
    draft_offer(&j->draft, calls[call_offer(c)], call_last_made(c));
    j->drafting = true;
    j->stream = stream_new(c->provider, &j->draft, e);
    if (!j->stream)
        return -1;
    if (j->url.len == 0 && call_url(c, &j->url, e) < 0)
        return -1;
    if (call_headers(c, j->q->a.key, &j->headers, e) < 0)
        return -1;
    return call_body(c, &j->body, e);
}

void
job_attempt(struct job *j)
{
    struct err e = {0};
    struct exchange_spec spec;

    exchange_free(j->exchange);
    j->exchange = NULL;
    if (j->redirects == 0)
        buf_clear(&j->url);
    if (prepare(j, &e) < 0) {
        judge_fail(j, &e);
        return;
    }
    spec = (struct exchange_spec){.url = j->url.p,
                                  .headers = j->headers.p,
                                  .body = j->body.p,
                                  .body_len = j->body.len,
                                  .limits = &j->q->a.limits,
                                  .arg = j,
                                  .take = on_body,
                                  .end = on_end};
    j->exchange = exchange_start(j->loop, j->pump, &spec, &e);
    if (!j->exchange)
        judge_fail(j, &e);
}

/* The pause before the first request is none: what fails at once fails after
 * job_start has returned. */
static void
on_pause_over(void *arg, unsigned events)
{
    struct job *j = arg;

    (void)events;
    if (j->exchange && j->draft.complete)
        judge_answer(j);
    else
        job_attempt(j);
}

static void
on_total(void *arg, unsigned events)
{
    (void)events;
    judge_total(arg);
}

struct job *
job_start(struct loop *l, struct pump *p, struct asked *q, job_end *end,
          void *arg, struct err *e)
{
    struct job *j = calloc(1, sizeof(*j));

    if (!j) {
        asked_free(q);
        err_sys(e, "question");
        return NULL;
    }
    *j = (struct job){.loop = l, .pump = p, .q = q, .end = end, .arg = arg};
    j->call = q->a.call;
    j->start_ms = clock_ms();
    buf_init(&j->url, 8192);
    buf_init(&j->headers, 16384);
    buf_init(&j->body, ASK_LINE_MAX);
    buf_init(&j->error, ERROR_BODY_MAX);
    call_host(q->a.call.url, j->host, sizeof(j->host));
    j->total = loop_timer(l, q->a.limits.total_ms, on_total, j, e);
    j->pause = j->total ? loop_timer(l, 0, on_pause_over, j, e) : NULL;
    j->flush = j->pause ? loop_timer(l, 0, on_flush, j, e) : NULL;
    if (!j->flush) {
        job_free(j);
        return NULL;
    }
    return j;
}

void
job_free(struct job *j)
{
    if (!j)
        return;
    exchange_free(j->exchange);
    watch_free(j->total);
    watch_free(j->pause);
    watch_free(j->flush);
    stream_free(j->stream);
    if (j->drafting)
        draft_done(&j->draft);
    buf_done(&j->url);
    buf_done(&j->headers);
    buf_done(&j->body);
    buf_done(&j->error);
    asked_free(j->q);
    free(j);
}

void
job_cancel(struct job *j)
{
    struct err e = {0};

    err_set(&e, ERR_INTERRUPTED, "interrupted");
    judge_fail(j, &e);
}

int64_t
job_id(const struct job *j)
{
    return j->q->a.id;
}
