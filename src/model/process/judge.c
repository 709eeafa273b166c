/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - what follows from a response: the answer, a failure, or another
 * request, later or without a parameter that the server does not take. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "model/process/backoff.h"
#include "model/process/blame.h"
#include "model/process/emit.h"
#include "model/process/job_in.h"
#include "model/process/origin.h"

#define REDIRECTS_MAX 3

static void
finish(struct job *j)
{
    exchange_free(j->exchange);
    j->exchange = NULL;
    watch_free(j->total);
    watch_free(j->pause);
    watch_free(j->flush);
    j->total = j->pause = j->flush = NULL;
    j->end(j->arg);
}

void
judge_fail(struct job *j, const struct err *why)
{
    emit_failed(j->q->a.id, why, j->q->a.key);
    finish(j);
}

static void
succeed(struct job *j)
{
    for (unsigned bit = 1; quirk_name(bit); bit <<= 1) {
        if (j->learned & bit)
            emit_line(j->q->a.id, "learned", "quirk", quirk_name(bit));
    }
    emit_answer(j->q->a.id, &j->draft, clock_ms() - j->start_ms);
    finish(j);
}

void
judge_total(struct job *j)
{
    struct err e = {0};

    blame_total(j->host, j->q->a.limits.total_ms, &e);
    judge_fail(j, &e);
}

/* Starts the next request after a pause, unless the retries are used up or
 * the pause does not fit into the total limit. Returns whether it does. */
static bool
try_later(struct job *j, int64_t asked_ms, const char *why)
{
    const struct ask_limits *l = &j->q->a.limits;
    int64_t left = j->start_ms + l->total_ms - clock_ms();
    int64_t pause = asked_ms >= 0 ? asked_ms : backoff_ms(j->tries);
    char line[160];

    j->tries++;
    if (j->tries > l->retries || pause >= left)
        return false;
    exchange_free(j->exchange);
    j->exchange = NULL;
    watch_again(j->pause, pause);
    snprintf(line, sizeof(line), "%.64s %.40s; trying again in %.1f s", j->host,
             why, (double)pause / 1000);
    emit_line(j->q->a.id, "waiting", "line", line);
    return true;
}

/* Without the parameter that the server does not take, at once. */
static bool
try_without(struct job *j, const struct fault *f)
{
    unsigned quirk = fault_quirk(f, &j->call);

    if (!quirk)
        return false;
    j->call.quirks |= quirk;
    j->learned |= quirk;
    job_attempt(j);
    return true;
}

static void
judge_fault(struct job *j, struct fault *f)
{
    const char *header = exchange_retry_after(j->exchange);
    struct err e = {0};

    if (header)
        fault_read_retry_after(f, header, time(NULL));
    if (try_without(j, f))
        return;
    if (fault_is_passing(f) &&
        try_later(j, f->retry_ms, fault_is_busy(f) ? "is busy" : "failed"))
        return;
    fault_tell(f, &j->call, j->host, j->tries, &e);
    judge_fail(j, &e);
}

static void
judge_redirect(struct job *j)
{
    const char *to = exchange_redirect(j->exchange);
    struct err e = {0};

    if (to && origin_is_same(j->url.p, to) &&
        exchange_status(j->exchange) != 303 && j->redirects++ < REDIRECTS_MAX) {
        char *url = strdup(to);

        buf_clear(&j->url);
        if (url)
            buf_str(&j->url, url);
        free(url);
        job_attempt(j);
        return;
    }
    blame_redirect(j->host, &j->call, to, &e);
    judge_fail(j, &e);
}

static void
judge_error_body(struct job *j)
{
    struct fault f;

    fault_init(&f, exchange_status(j->exchange), j->q->a.key);
    fault_read(&f, j->error.p, j->error.len);
    judge_fault(j, &f);
}

/* An error in place of events. Once text was shown, nothing is tried again:
 * a second answer would follow the half of the first. */
static void
judge_event_fault(struct job *j)
{
    struct err e = j->broken;

    if (j->draft.text.len == 0) {
        judge_fault(j, &j->draft.fault);
        return;
    }
    blame_answer(j->host, &e);
    judge_fail(j, &e);
}

void
judge_answer(struct job *j)
{
    struct err e = {0};
    bool ok = stream_end(j->stream, &e) == 0;

    if (j->draft.faulty) {
        j->broken = e;
        judge_event_fault(j);
        return;
    }
    if (ok && draft_check(&j->draft, call_limit(&j->call), &e) == 0) {
        size_t n;
        const char *news = draft_rest(&j->draft, &n);

        if (news)
            emit_text(j->q->a.id, news, n);
        succeed(j);
        return;
    }
    blame_answer(j->host, &e);
    judge_fail(j, &e);
}

static void
judge_stopped(struct job *j)
{
    int status = exchange_status(j->exchange);

    if (status < 200 || status > 299)
        judge_error_body(j);
    else if (j->draft.faulty)
        judge_event_fault(j);
    else {
        blame_answer(j->host, &j->broken);
        judge_fail(j, &j->broken);
    }
}

/* The connection failed, or a limit passed. */
static void
judge_broken(struct job *j)
{
    struct exchange *x = j->exchange;
    int status = exchange_status(x);
    struct err e = {0};

    if (exchange_phase(x) == PHASE_BODY && status >= 200 && status <= 299 &&
        j->draft.finish != FINISH_NONE) {
        judge_answer(j); /* it was whole before */
        return;
    }
    if (exchange_phase(x) == PHASE_BODY && status >= 400) {
        judge_error_body(j);
        return;
    }
    if (blame_is_passing(x) && try_later(j, -1, "closed the connection"))
        return;
    blame_exchange(x, j->host, &j->call, &e);
    judge_fail(j, &e);
}

void
judge(struct job *j)
{
    enum exchange_fate fate = exchange_fate(j->exchange);
    int status = exchange_status(j->exchange);

    if (fate == FATE_STOPPED)
        judge_stopped(j);
    else if (fate != FATE_ANSWERED)
        judge_broken(j);
    else if (status >= 200 && status <= 299)
        judge_answer(j);
    else if (status >= 300 && status <= 399)
        judge_redirect(j);
    else
        judge_error_body(j);
}
