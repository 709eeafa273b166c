/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider_query.c - answers one query: sends requests to the provider, decides
 * what follows from each response, and writes the events of the answer. */
#include "model/process/provider_query.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/loop.h"
#include "base/utf8.h"
#include "model/model_rank.h"
#include "model/process/events.h"
#include "model/process/find_model.h"
#include "model/process/http_error.h"
#include "model/process/http_request.h"
#include "model/process/http_util.h"
#include "model/process/retry.h"
#include "model/provider/api_error_report.h"
#include "model/provider/prompt_size.h"
#include "model/provider/stream.h"
#include "model/provider/tool_declarations.h"

#define ERROR_BODY_MAX (256u << 10) /* the rest of an error is not read */

/* A server may leave the response open after the end of the answer. The query
 * waits this long for its end, so that the connection can be used again. */
#define GRACE_MS 150

/* The least time between two text events. A person sees no difference, and
 * every event wakes two processes up. */
#define FLUSH_MS 4

#define REDIRECTS_MAX 3

/* Text that is not written, since the front does not read it or wants none:
 * with more of it the query takes nothing from its server. */
#define BACKLOG_MAX (64u << 10)

struct provider_query {
    const struct provider_query_means *means;
    struct connection_group *group;
    struct ipc_parsed_query *parsed;
    struct provider_request request; /* with the new quirks */
    unsigned new_quirks; /* found by this query; confirmed by an answer */
    char host[128];
    provider_query_end *end;
    void *arg;
    int64_t start_ms;
    struct find_model *find; /* a model in place of a default that is gone */
    struct api_error gone;   /* what the server said of the default */
    char chosen[MODEL_NAME_SIZE]; /* the model in its place; "": none */
    int tries;                    /* requests that had a transient failure */
    int redirects;                /* that were followed */
    bool fresh; /* a kept connection was closed before it answered: this query
                   goes on with new ones, and nothing is told */
    struct buf url, headers, body;
    struct buf error; /* the body of an error response */
    struct model_response response;
    bool has_response; /* response is initialised */
    bool thinking_reported;
    bool held;     /* the front takes no text until it resumes */
    bool finished; /* the answer is complete, and waits to be written */
    bool checked;  /* it is good: its text is being written */
    size_t rest_at, rest_end; /* of the text: handed out, and not written */
    struct stream *stream;
    struct err stop_error; /* why the body callback stopped the request */
    struct http_request *http;
    struct watch *total;
    struct watch *flush; /* writes text that came less than FLUSH_MS ago */
    bool flush_pending;
    int64_t flushed_ms;
    struct watch *pause; /* before a request, or after an answer */
};

/* Defined below: what follows from a response may be another request. */
static void send_request(struct provider_query *q);

static void
end_query(struct provider_query *q)
{
    http_request_free(q->http);
    q->http = NULL;
    watch_free(q->total);
    watch_free(q->pause);
    watch_free(q->flush);
    q->total = q->pause = q->flush = NULL;
    find_model_free(q->find);
    q->find = NULL;
    q->end(q->arg);
}

/* Writes the failure and ends the query. */
static void
fail_query(struct provider_query *q, const struct err *why)
{
    events_write_failed(q->means->events, q->parsed->query.id, why,
                        q->parsed->query.key);
    end_query(q);
}

/* Writes the new quirks and the answer, and ends the query. */
static void
report_answer(struct provider_query *q)
{
    if (*q->chosen)
        events_write_line(q->means->events, q->parsed->query.id, "chosen",
                          "model", q->chosen);
    for (unsigned bit = 1; bit < QUIRKS_END; bit <<= 1) {
        if (q->new_quirks & bit)
            events_write_line(q->means->events, q->parsed->query.id, "learned",
                              "quirk", quirk_name(bit));
    }
    events_write_answer(q->means->events, q->parsed->query.id, &q->response,
                        clock_ms() - q->start_ms);
    end_query(q);
}

static void
fail_total_timeout(struct provider_query *q)
{
    struct err e = {0};

    http_error_total_timeout(q->host, q->parsed->query.limits.total_ms, &e);
    fail_query(q, &e);
}

static int64_t
total_left_ms(const struct provider_query *q)
{
    return q->start_ms + q->parsed->query.limits.total_ms - clock_ms();
}

/* Sends the request again after a pause, unless the retries are used up or the
 * pause does not fit into the total limit. Returns whether it does. asked_ms:
 * the pause that the server asks for; -1: none. */
static bool
retry_later(struct provider_query *q, int64_t asked_ms, const char *why)
{
    const struct model_limits *l = &q->parsed->query.limits;
    int64_t left = total_left_ms(q);
    int64_t pause = asked_ms >= 0 ? asked_ms : retry_delay_ms(q->tries);
    char line[160];

    q->tries++;
    if (q->tries > l->retries || pause >= left)
        return false;
    http_request_free(q->http);
    q->http = NULL;
    watch_again(q->pause, pause);
    snprintf(line, sizeof(line), "%.64s %.40s; trying again in %.1f s", q->host,
             why, (double)pause / 1000);
    events_write_line(q->means->events, q->parsed->query.id, "waiting", "line",
                      line);
    return true;
}

/* Sends the request again at once, without the parameter that the server does
 * not take. Returns whether there is one. */
static bool
retry_without_parameter(struct provider_query *q, const struct api_error *a)
{
    unsigned quirk = api_error_quirk(a, &q->request);

    if (!quirk)
        return false;
    q->request.quirks |= quirk;
    q->new_quirks |= quirk;
    q->redirects = 0; /* its path may be another */
    send_request(q);
    return true;
}

static void
fail_api_error(struct provider_query *q, const struct api_error *a)
{
    struct err e = {0};

    api_error_report(a, &q->request, q->host, q->tries, &e);
    fail_query(q, &e);
}

/* Asks the model that was found, with the quirks of the one that is gone: they
 * may be the server's. */
static void
on_model_found(void *arg, const char *model)
{
    struct provider_query *q = arg;
    char line[192];

    if (!model || !*model) {
        fail_api_error(q, &q->gone);
        return;
    }
    snprintf(q->chosen, sizeof(q->chosen), "%s", model);
    q->redirects = 0; /* its path may be another */
    snprintf(line, sizeof(line), "%.64s has no %.40s; asking %.40s", q->host,
             q->request.model, q->chosen);
    events_write_line(q->means->events, q->parsed->query.id, "waiting", "line",
                      line);
    q->request.model = q->chosen;
    find_model_free(q->find);
    q->find = NULL;
    send_request(q);
}

/* Looks for another model when the default is gone. Returns whether it does: a
 * model that somebody named is never replaced, nor one a second time. */
static bool
replace_model(struct provider_query *q, const struct api_error *a)
{
    if (!q->parsed->query.any_model || *q->chosen || q->find)
        return false;
    q->gone = *a;
    http_request_free(q->http);
    q->http = NULL;
    q->find = find_model_start(q->means->loop, q->means->curl, q->group,
                               &q->parsed->query, on_model_found, q, NULL);
    return q->find != NULL;
}

static void
handle_api_error(struct provider_query *q, struct api_error *a)
{
    const char *header = http_request_retry_after(q->http);

    if (header)
        api_error_read_retry_after(a, header, time(NULL));
    if (api_error_is_model_missing(a) && replace_model(q, a))
        return;
    if (retry_without_parameter(q, a))
        return;
    if (a->status == 404 && replace_model(q, a))
        return;
    if (api_error_is_transient(a) &&
        retry_later(q, a->retry_ms,
                    api_error_is_overload(a) ? "is busy" : "failed"))
        return;
    fail_api_error(q, a);
}

static void
handle_redirect(struct provider_query *q)
{
    const char *to = http_request_redirect(q->http);
    struct err e = {0};

    if (to && http_util_same_origin(q->url.p, to) &&
        http_request_status(q->http) != 303 && q->redirects++ < REDIRECTS_MAX) {
        char *url = strdup(to);

        buf_clear(&q->url);
        if (url)
            buf_str(&q->url, url);
        free(url);
        send_request(q);
        return;
    }
    http_error_redirect(q->host, &q->request, to, &e);
    fail_query(q, &e);
}

static void
handle_error_body(struct provider_query *q)
{
    struct api_error a;
    struct err e = {0};

    if (http_request_status(q->http) == 407) {
        http_error_proxy_login(q->http, q->host, &e);
        fail_query(q, &e);
        return;
    }
    if (http_error_wants_tls(q->error.p)) {
        http_error_no_tls(q->host, &q->request, &e);
        fail_query(q, &e);
        return;
    }
    api_error_init(&a, http_request_status(q->http), q->parsed->query.key);
    api_error_read(&a, q->error.p, q->error.len);
    handle_api_error(q, &a);
}

/* An error came in place of an event. Once text has been shown there is no
 * retry: a second answer would follow half of the first. */
static void
handle_event_error(struct provider_query *q)
{
    struct err e = q->stop_error;

    if (q->response.text.len == 0) {
        handle_api_error(q, &q->response.error);
        return;
    }
    http_error_bad_answer(q->host, &e);
    fail_query(q, &e);
}

static bool
may_write_text(const struct provider_query *q)
{
    return !q->held && !events_are_full(q->means->events);
}

/* Text that came and is not written. */
static size_t
backlog_of(const struct provider_query *q)
{
    return q->response.text.len - q->response.handed_out + q->rest_end -
           q->rest_at;
}

/* Writes new text, piece by piece, until the front has enough of it. */
static void
write_new_text(struct provider_query *q)
{
    const char *all = q->response.text.p, *text;
    size_t n;

    text = model_response_new_text(&q->response, &n);
    if (text && q->rest_at == q->rest_end)
        q->rest_at = (size_t)(text - all);
    if (text)
        q->rest_end = (size_t)(text - all) + n;
    while (q->rest_at < q->rest_end && may_write_text(q)) {
        n = q->rest_end - q->rest_at;
        if (n > EVENTS_TEXT_MAX)
            n = utf8_boundary(all + q->rest_at, n, EVENTS_TEXT_MAX);
        q->flushed_ms = clock_ms();
        events_write_text(q->means->events, q->parsed->query.id,
                          all + q->rest_at, n);
        q->rest_at += n;
    }
}

/* Waits for a front that reads slowly, without a limit of ours. */
static void
await_front(struct provider_query *q)
{
    q->finished = true;
    watch_stop(q->total);
}

/* Writes what remains of an answer that is good, and ends the query. */
static void
write_answer_rest(struct provider_query *q)
{
    write_new_text(q);
    if (q->rest_at < q->rest_end)
        await_front(q);
    else
        report_answer(q);
}

/* The answer is complete, whatever the connection does now. */
static void
complete_answer(struct provider_query *q)
{
    struct err e = {0};
    bool ok;

    if (!may_write_text(q)) {
        await_front(q);
        return;
    }
    ok = stream_end(q->stream, &e) == 0;
    if (q->response.failed) {
        q->stop_error = e;
        handle_event_error(q);
        return;
    }
    if (ok && prompt_size_check(q->response.tokens_in, &q->request, q->host,
                                &e) < 0) {
        fail_query(q, &e);
        return;
    }
    if (ok && model_response_check(
                  &q->response, provider_token_limit(&q->request), &e) == 0) {
        if (q->response.replaced) {
            events_write_plain(q->means->events, q->parsed->query.id, "void");
            q->rest_at = q->rest_end = 0;
        }
        http_request_free(q->http);
        q->http = NULL;
        watch_stop(q->pause);
        q->checked = true;
        write_answer_rest(q);
        return;
    }
    http_error_bad_answer(q->host, &e);
    fail_query(q, &e);
}

static void
handle_stopped(struct provider_query *q)
{
    int status = http_request_status(q->http);

    if (status < 200 || status > 299)
        handle_error_body(q);
    else if (q->response.failed)
        handle_event_error(q);
    else {
        http_error_bad_answer(q->host, &q->stop_error);
        fail_query(q, &q->stop_error);
    }
}

/* The connection failed, or a time limit passed. */
static void
handle_failed_request(struct provider_query *q)
{
    struct http_request *x = q->http;
    int status = http_request_status(x);
    struct err e = {0};

    if (http_request_phase(x) == HTTP_PHASE_BODY && status >= 200 &&
        status <= 299 && q->response.finish != FINISH_NONE) {
        complete_answer(q); /* it was complete before */
        return;
    }
    if (http_request_phase(x) == HTTP_PHASE_BODY && status >= 400) {
        handle_error_body(q);
        return;
    }
    if (http_error_is_transient(x) && http_request_was_kept(x) && !q->fresh) {
        q->fresh = true;
        send_request(q);
        return;
    }
    if (http_error_is_transient(x) &&
        retry_later(q, -1, "closed the connection"))
        return;
    http_error_request(x, q->host, &q->request, &e);
    fail_query(q, &e);
}

/* The request has ended: reports the answer or a failure, or sends another
 * request. */
static void
handle_response(struct provider_query *q)
{
    enum http_result result = http_request_result(q->http);
    int status = http_request_status(q->http);

    if (result == HTTP_RESULT_STOPPED)
        handle_stopped(q);
    else if (result != HTTP_RESULT_COMPLETE)
        handle_failed_request(q);
    else if (status >= 200 && status <= 299)
        complete_answer(q);
    else if (status >= 300 && status <= 399)
        handle_redirect(q);
    else
        handle_error_body(q);
}

static int
add_error_body(struct provider_query *q, const char *bytes, size_t n)
{
    size_t room = q->error.max - q->error.len;

    buf_add(&q->error, bytes, n < room ? n : room);
    return n <= room ? 0 : -1;
}

static void
flush_text(struct provider_query *q)
{
    q->flush_pending = false;
    if (q->has_response && !q->response.failed && may_write_text(q))
        write_new_text(q);
}

static void
on_flush(void *arg, unsigned events)
{
    (void)events;
    flush_text(arg);
}

void
provider_query_flush(struct provider_query *q)
{
    if (q->flush_pending || !q->has_response || !may_write_text(q) ||
        backlog_of(q) == 0)
        return;
    if (clock_ms() - q->flushed_ms >= FLUSH_MS) {
        flush_text(q);
        return;
    }
    q->flush_pending = true;
    watch_again(q->flush, FLUSH_MS);
}

void
provider_query_continue(struct provider_query *q)
{
    if (!may_write_text(q))
        return;
    if (q->finished) {
        q->finished = false;
        if (q->checked) {
            write_answer_rest(q);
            return;
        }
        watch_again(q->total, total_left_ms(q)); /* of another try */
        complete_answer(q);
        return;
    }
    flush_text(q);
    if (q->http)
        http_request_resume(q->http);
}

void
provider_query_hold(struct provider_query *q, bool held)
{
    q->held = held;
    provider_query_continue(q);
}

/* libcurl may read for long before we are called elsewhere. Text that cannot be
 * told from a call yet stays, whoever reads. */
static void
limit_backlog(struct provider_query *q)
{
    flush_text(q);
    if (!may_write_text(q))
        http_request_pause(q->http);
}

static int
on_body(void *arg, int status, const char *bytes, size_t n)
{
    struct provider_query *q = arg;
    int rc;

    if (status < 200 || status > 299)
        return add_error_body(q, bytes, n);
    rc = stream_add(q->stream, bytes, n, &q->stop_error);
    if (q->response.reasoned && !q->thinking_reported)
        events_write_plain(q->means->events, q->parsed->query.id, "thinking");
    q->thinking_reported |= q->response.reasoned;
    if (rc == 0 && q->response.complete)
        watch_again(q->pause, GRACE_MS);
    else if (backlog_of(q) > BACKLOG_MAX)
        limit_backlog(q);
    return rc;
}

static void
on_end(void *arg, struct http_request *x)
{
    (void)x;
    handle_response(arg);
}

/* Discards the previous request and its response, and writes the next one. */
static int
prepare_request(struct provider_query *q, struct err *e)
{
    const struct provider_request *req = &q->request;

    buf_clear(&q->headers);
    buf_clear(&q->body);
    buf_clear(&q->error);
    stream_free(q->stream);
    if (q->has_response)
        model_response_done(&q->response);
    model_response_init(&q->response,
                        provider_answer_shape(req) == ANSWER_SHAPE_TOOL,
                        q->parsed->query.key);
    model_response_expect_calls(&q->response, tool_declarations_form(req),
                                tool_declarations_last_own_id(req));
    q->has_response = true;
    q->rest_at = q->rest_end = 0;
    q->stream = stream_new(req->provider, &q->response, e);
    if (!q->stream)
        return -1;
    if (q->url.len == 0 && provider_request_url(req, &q->url, e) < 0)
        return -1;
    if (provider_request_headers(req, q->parsed->query.key, &q->headers, e) < 0)
        return -1;
    return provider_request_body(req, &q->body, e);
}

static void
send_request(struct provider_query *q)
{
    struct err e = {0};
    struct http_request_spec spec;

    http_request_free(q->http);
    q->http = NULL;
    if (q->redirects == 0)
        buf_clear(&q->url);
    if (prepare_request(q, &e) < 0) {
        fail_query(q, &e);
        return;
    }
    spec = (struct http_request_spec){.url = q->url.p,
                                      .headers = q->headers.p,
                                      .body = q->body.p,
                                      .body_len = q->body.len,
                                      .fresh = q->fresh,
                                      .group = q->group,
                                      .ca_file = q->parsed->query.ca_file,
                                      .limits = &q->parsed->query.limits,
                                      .arg = q,
                                      .on_body = on_body,
                                      .on_end = on_end};
    q->http = http_request_start(q->means->loop, q->means->curl, &spec, &e);
    if (!q->http)
        fail_query(q, &e);
}

/* Also the first request is sent from here, after a pause of 0 ms, so that no
 * failure is reported before provider_query_start() has returned. */
static void
on_pause_over(void *arg, unsigned events)
{
    struct provider_query *q = arg;

    (void)events;
    if (q->http && q->response.complete)
        complete_answer(q);
    else
        send_request(q);
}

static void
on_total(void *arg, unsigned events)
{
    (void)events;
    fail_total_timeout(arg);
}

struct provider_query *
provider_query_start(const struct provider_query_means *means,
                     struct ipc_parsed_query *parsed, provider_query_end *end,
                     void *arg, struct err *e)
{
    struct provider_query *q = calloc(1, sizeof(*q));

    if (!q) {
        ipc_parsed_query_free(parsed);
        err_sys(e, "question");
        return NULL;
    }
    *q = (struct provider_query){
        .means = means, .parsed = parsed, .end = end, .arg = arg};
    q->request = parsed->query.request;
    q->start_ms = clock_ms();
    buf_init(&q->url, 8192);
    q->headers = buf_of_secret(16384); /* the key is in one */
    buf_init(&q->body, IPC_LINE_MAX);
    buf_init(&q->error, ERROR_BODY_MAX);
    provider_url_host(parsed->query.request.url, q->host, sizeof(q->host));
    q->group = connections_take(means->connections, &parsed->query, e);
    q->total = q->group ? loop_timer(means->loop, parsed->query.limits.total_ms,
                                     on_total, q, e)
                        : NULL;
    q->pause = q->total ? loop_timer(means->loop, 0, on_pause_over, q, e)
                        : NULL;
    q->flush = q->pause ? loop_timer(means->loop, 0, on_flush, q, e) : NULL;
    if (!q->flush) {
        provider_query_free(q);
        return NULL;
    }
    return q;
}

void
provider_query_free(struct provider_query *q)
{
    if (!q)
        return;
    http_request_free(q->http);
    find_model_free(q->find);
    watch_free(q->total);
    watch_free(q->pause);
    watch_free(q->flush);
    stream_free(q->stream);
    if (q->has_response)
        model_response_done(&q->response);
    buf_done(&q->url);
    buf_done(&q->headers);
    buf_done(&q->body);
    buf_done(&q->error);
    connections_give_back(q->means->connections, q->group);
    ipc_parsed_query_free(q->parsed);
    free(q);
}

void
provider_query_cancel(struct provider_query *q)
{
    struct err e = {0};

    err_set(&e, ERR_INTERRUPTED, "interrupted");
    fail_query(q, &e);
}
