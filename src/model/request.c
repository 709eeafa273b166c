/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - redacts a request before it is sent, and shows it on demand. */
#include "model/request.h"

#include <string.h>

#include "base/redact.h"
#include "base/secret_name.h"
#include "model/client.h"

#define TURN_MAX    (8u << 20) /* bytes of one turn, its data included */
#define HEADERS_MAX (16u << 10)

/* The text of every turn is redacted here before it is sent, whoever wrote the
 * request. The model's tool calls go back as they came: a provider may compare
 * them with what it sent. */
static int
redact_turn(const struct model_turn *in, struct model_turn *out, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(TURN_MAX);

    if (in->text)
        redact(in->text, strlen(in->text), &b);
    if (buf_ok(&b, "a part of the request", e) < 0)
        return -1;
    *out = *in;
    out->text = buf_take(&b);
    return out->text ? 0 : err_sys(e, "request");
}

static int
read_schema(const char *text, struct json **schema, struct err *e)
{
    *schema = json_parse(text, strlen(text), JSON_UNIQUE, e);
    return *schema ? 0 : err_wrap(e, "schema");
}

static int
parse_tools(struct model_prepared_request *pr, const struct model_request *r,
            struct err *e)
{
    struct provider_request *req = &pr->request;

    pr->tools = calloc(r->n_tools ? r->n_tools : 1, sizeof(*pr->tools));
    if (!pr->tools)
        return err_sys(e, "request");
    req->tools = pr->tools;
    for (; req->n_tools < r->n_tools; req->n_tools++) {
        const struct model_tool *in = &r->tools[req->n_tools];
        struct json *schema;

        if (read_schema(in->schema, &schema, e) < 0)
            return err_wrap(e, "tool %s", in->name);
        pr->tools[req->n_tools] = (struct provider_tool){
            in->name, in->description, schema};
    }
    return 0;
}

int
model_prepared_request_init(struct model_prepared_request *pr,
                            const struct model_selection *m,
                            const struct model_request *r, struct err *e)
{
    struct provider_request *req = &pr->request;

    *pr = (struct model_prepared_request){
        .request = {.provider = m->provider,
                    .url = m->url,
                    .url_name = m->url_name,
                    .key_name = m->key_name,
                    .model = m->model,
                    .quirks = m->quirks,
                    .system = r->system,
                    .more_headers = m->more_headers}};
    pr->turns = calloc(r->n_turns ? r->n_turns : 1, sizeof(*pr->turns));
    if (!pr->turns)
        return err_sys(e, "request");
    req->turns = pr->turns;
    for (; req->n_turns < r->n_turns; req->n_turns++) {
        if (redact_turn(&r->turns[req->n_turns], &pr->turns[req->n_turns], e) <
            0)
            return -1;
    }
    if (r->schema && read_schema(r->schema, &pr->schema, e) < 0)
        return -1;
    req->schema = pr->schema;
    return parse_tools(pr, r, e);
}

void
model_prepared_request_done(struct model_prepared_request *pr)
{
    if (!pr)
        return;
    for (size_t i = 0; pr->turns && i < pr->request.n_turns; i++)
        free((char *)(uintptr_t)pr->turns[i].text);
    for (size_t i = 0; pr->tools && i < pr->request.n_tools; i++)
        json_free((struct json *)(uintptr_t)pr->tools[i].schema);
    free(pr->turns);
    free(pr->tools);
    json_free(pr->schema);
}

/* Copies the person's headers, with "***" for the value of one whose name says
 * that it is a secret, and without what else looks like one. */
static int
redact_headers(const char *lines, struct buf *out, struct err *e)
{
    for (; lines && *lines; lines += strcspn(lines, "\n") + 1) {
        size_t name = strcspn(lines, ":"), n = strcspn(lines, "\n");

        if (secret_name_find(lines, name)) {
            buf_add(out, lines, name);
            buf_str(out, ": ***");
        } else {
            redact(lines, n, out);
        }
        buf_ch(out, '\n');
    }
    return buf_ok(out, "the headers", e);
}

static void
show_headers(const char *lines, struct buf *out)
{
    for (; *lines; lines += strcspn(lines, "\n") + 1)
        buf_printf(out, "%.*s\r\n", (int)strcspn(lines, "\n"), lines);
}

/* Writes the headers as HTTP/1.1, in the order in which libcurl sends them. */
int
model_show_request(const struct model_selection *selection,
                   const struct model_request *r, struct buf *out,
                   struct err *e)
{
    CLEANUP(model_prepared_request_done) struct model_prepared_request pr;
    CLEANUP_BUF struct buf url = buf_of(8192);
    CLEANUP_BUF struct buf headers = buf_of(HEADERS_MAX);
    CLEANUP_BUF struct buf body = buf_of(IPC_LINE_MAX);
    CLEANUP_BUF struct buf more = buf_of(HEADERS_MAX);
    CLEANUP_BUF struct buf target = buf_of(8192);
    const char *key = selection->key ? "***" : NULL, *path;
    char host[256];

    if (model_prepared_request_init(&pr, selection, r, e) < 0 ||
        redact_headers(selection->more_headers, &more, e) < 0)
        return -1;
    pr.request.more_headers = more.p;
    if (provider_request_url(&pr.request, &url, e) < 0 ||
        provider_request_headers(&pr.request, key, &headers, e) < 0 ||
        provider_request_body(&pr.request, &body, e) < 0)
        return -1;
    provider_url_host(url.p, host, sizeof(host));
    path = strchr(strstr(url.p, "://") + 3, '/');
    if (path)
        redact(path, strlen(path), &target);
    buf_printf(out,
               "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n"
               "Accept: */*\r\nAccept-Encoding: gzip\r\n",
               path ? target.p : "/", host, provider_user_agent());
    show_headers(headers.p, out);
    buf_printf(out, "Content-Length: %zu\r\n\r\n", body.len);
    buf_add(out, body.p, body.len);
    return buf_ok(out, "the request", e);
}
