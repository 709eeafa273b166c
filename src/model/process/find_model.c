/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_model.c - asks a provider which models it has, and chooses one of them
 * in place of a default that is gone. */
#include "model/process/find_model.h"

#include <stdlib.h>

#include "model/process/http_request.h"
#include "model/provider/default_models.h"

#define LIST_MAX    (4u << 20) /* the longest seen: 2 MiB, of 500 models */
#define TIME_MAX_MS 10000

struct find_model {
    const struct ipc_query *query;
    struct model_limits limits;
    struct buf url, headers, body;
    struct http_request *http;
    find_model_end *end;
    void *arg;
};

static int
on_body(void *arg, int status, const char *bytes, size_t n)
{
    struct find_model *f = arg;

    return status == 200 ? buf_add(&f->body, bytes, n) : -1;
}

static void
on_end(void *arg, struct http_request *x)
{
    struct find_model *f = arg;
    CLEANUP(model_list_done) struct model_list list = {0};
    CLEANUP(json_free_p) struct json *v = NULL;
    const struct provider_request *req = &f->query->request;
    const char *model = NULL;

    if (http_request_result(x) == HTTP_RESULT_COMPLETE &&
        http_request_status(x) == 200)
        v = json_parse(f->body.p, f->body.len, 0, NULL);
    if (v && model_list_read(v, false, &list, NULL) == 0)
        model = default_models_choose(req->provider, &list, req->model);
    f->end(f->arg, model);
}

static int64_t
at_most(int64_t ms)
{
    return ms < TIME_MAX_MS ? ms : TIME_MAX_MS;
}

struct find_model *
find_model_start(struct loop *l, struct curl_loop *c,
                 const struct connection_group *group,
                 const struct ipc_query *q, find_model_end *end, void *arg,
                 struct err *e)
{
    const struct provider_request *req = &q->request;
    struct find_model *f = calloc(1, sizeof(*f));

    if (!f) {
        err_sys(e, "list of models");
        return NULL;
    }
    *f = (struct find_model){.query = q, .end = end, .arg = arg};
    f->limits = (struct model_limits){
        at_most(q->limits.connect_ms), at_most(q->limits.first_byte_ms),
        at_most(q->limits.idle_ms), at_most(q->limits.total_ms), 0};
    buf_init(&f->url, 8192);
    f->headers = buf_of_secret(16384); /* the key is in one */
    buf_init(&f->body, LIST_MAX);
    if (provider_models_url(req, &f->url, e) == 0 &&
        provider_request_headers(req, q->key, &f->headers, e) == 0) {
        struct http_request_spec spec = {.url = f->url.p,
                                         .headers = f->headers.p,
                                         .group = group,
                                         .ca_file = q->ca_file,
                                         .limits = &f->limits,
                                         .arg = f,
                                         .on_body = on_body,
                                         .on_end = on_end};

        f->http = http_request_start(l, c, &spec, e);
    }
    if (!f->http) {
        find_model_free(f);
        return NULL;
    }
    return f;
}

void
find_model_free(struct find_model *f)
{
    if (!f)
        return;
    http_request_free(f->http);
    buf_done(&f->url);
    buf_done(&f->headers);
    buf_done(&f->body);
    free(f);
}
