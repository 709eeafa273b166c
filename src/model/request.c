/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - a request as it will be sent: redacted, and shown on demand. */
#include "model/request.h"

#include <string.h>

#include "base/redact.h"
#include "model/client.h"

#define TURN_MAX    (8u << 20) /* bytes of one turn, its data included */
#define HEADERS_MAX (16u << 10)

/* The last gate: what leaves goes through here, whoever put it together. The
 * calls of the model are its own words, which a provider may compare. */
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
read_tools(struct model_call *mc, const struct model_request *r, struct err *e)
{
    struct call *c = &mc->call;

    mc->tools = calloc(r->n_tools ? r->n_tools : 1, sizeof(*mc->tools));
    if (!mc->tools)
        return err_sys(e, "request");
    c->tools = mc->tools;
    for (; c->n_tools < r->n_tools; c->n_tools++) {
        const struct model_tool *in = &r->tools[c->n_tools];
        struct json *schema;

        if (read_schema(in->schema, &schema, e) < 0)
            return err_wrap(e, "tool %s", in->name);
        mc->tools[c->n_tools] = (struct call_tool){in->name, in->description,
                                                   schema};
    }
    return 0;
}

int
model_call_init(struct model_call *mc, const struct model_choice *m,
                const struct model_request *r, struct err *e)
{
    struct call *c = &mc->call;

    *mc = (struct model_call){.call = {.provider = m->provider,
                                       .url = m->url,
                                       .model = m->model,
                                       .quirks = m->quirks,
                                       .system = r->system}};
    mc->turns = calloc(r->n_turns ? r->n_turns : 1, sizeof(*mc->turns));
    if (!mc->turns)
        return err_sys(e, "request");
    c->turns = mc->turns;
    for (; c->n_turns < r->n_turns; c->n_turns++) {
        if (redact_turn(&r->turns[c->n_turns], &mc->turns[c->n_turns], e) < 0)
            return -1;
    }
    if (r->schema && read_schema(r->schema, &mc->schema, e) < 0)
        return -1;
    c->schema = mc->schema;
    return read_tools(mc, r, e);
}

void
model_call_done(struct model_call *mc)
{
    if (!mc)
        return;
    for (size_t i = 0; mc->turns && i < mc->call.n_turns; i++)
        free((char *)(uintptr_t)mc->turns[i].text);
    for (size_t i = 0; mc->tools && i < mc->call.n_tools; i++)
        json_free((struct json *)(uintptr_t)mc->tools[i].schema);
    free(mc->turns);
    free(mc->tools);
    json_free(mc->schema);
}

static void
show_headers(const char *lines, struct buf *out)
{
    for (; *lines; lines += strcspn(lines, "\n") + 1)
        buf_printf(out, "%.*s\r\n", (int)strcspn(lines, "\n"), lines);
}

/* The head as HTTP/1.1 has it, in the order in which libcurl sends it. */
int
model_show(const struct model_choice *choice, const struct model_request *r,
           struct buf *out, struct err *e)
{
    CLEANUP(model_call_done) struct model_call mc;
    CLEANUP_BUF struct buf url = buf_of(8192);
    CLEANUP_BUF struct buf headers = buf_of(HEADERS_MAX);
    CLEANUP_BUF struct buf body = buf_of(ASK_LINE_MAX);
    const char *key = choice->key ? "***" : NULL, *path;
    char host[256];

    if (model_call_init(&mc, choice, r, e) < 0 ||
        call_url(&mc.call, &url, e) < 0 ||
        call_headers(&mc.call, key, &headers, e) < 0 ||
        call_body(&mc.call, &body, e) < 0)
        return -1;
    call_host(url.p, host, sizeof(host));
    path = strchr(strstr(url.p, "://") + 3, '/');
    buf_printf(out,
               "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n"
               "Accept: */*\r\nAccept-Encoding: gzip\r\n",
               path ? path : "/", host, call_user_agent());
    show_headers(headers.p, out);
    buf_printf(out, "Content-Length: %zu\r\n\r\n", body.len);
    buf_add(out, body.p, body.len);
    return buf_ok(out, "the request", e);
}
