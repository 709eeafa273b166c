/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ipc.c - writes and reads the queries that the front sends to the model
 * process, and the tool calls that go both ways. */
#include "model/ipc.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/provider/provider_table.h"

static const char *const roles[] = {
    [MODEL_USER] = "user",
    [MODEL_ASSISTANT] = "assistant",
    [MODEL_RESULT] = "result",
};

#define N_ROLES ARRAY_SIZE(roles)

struct limit_row {
    const char *name;
    size_t offset;
};

static const struct limit_row limit_rows[] = {
    {"connect_ms", offsetof(struct model_limits, connect_ms)},
    {"first_byte_ms", offsetof(struct model_limits, first_byte_ms)},
    {"idle_ms", offsetof(struct model_limits, idle_ms)},
    {"total_ms", offsetof(struct model_limits, total_ms)},
    {"retries", offsetof(struct model_limits, retries)},
};

#define N_LIMITS ARRAY_SIZE(limit_rows)

static void
put_limits(const struct model_limits *l, struct json_writer *w)
{
    json_key(w, "limits");
    json_open_object(w);
    for (size_t i = 0; i < N_LIMITS; i++)
        json_member_int(
            w, limit_rows[i].name,
            *(const int64_t *)((const char *)l + limit_rows[i].offset));
    json_close_object(w);
}

static void
put_quirks(unsigned quirks, struct json_writer *w)
{
    json_key(w, "quirks");
    json_open_array(w);
    for (unsigned bit = 1; bit < QUIRKS_END; bit <<= 1) {
        if (quirks & bit)
            json_put_str(w, quirk_name(bit));
    }
    json_close_array(w);
}

void
ipc_tool_call_write(const struct model_tool_call *c, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "id", c->id);
    json_member_str(w, "name", c->name);
    json_key(w, "args");
    json_put_strn(w, c->args, c->args_len);
    if (c->extra)
        json_member_str(w, "extra", c->extra);
    json_close_object(w);
}

int
ipc_tool_call_read(const struct json *v, struct model_tool_call *c)
{
    c->id = json_get_str(v, "id");
    c->name = json_get_str(v, "name");
    c->args = json_str(json_get(v, "args"), &c->args_len);
    c->extra = json_get_str(v, "extra");
    return c->id && c->name && c->args ? 0 : -1;
}

static void
put_images(const struct model_images *m, struct json_writer *w)
{
    json_key(w, "images");
    json_open_array(w);
    for (size_t i = 0; i < m->n; i++) {
        json_open_object(w);
        json_member_str(w, "type", m->v[i].type);
        json_key(w, "data");
        json_put_strn(w, m->v[i].data, m->v[i].n);
        json_close_object(w);
    }
    json_close_array(w);
}

static void
put_turn(const struct model_turn *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "role", roles[t->role]);
    json_member_str(w, "text", t->text ? t->text : "");
    if (t->n_tool_calls > 0) {
        json_key(w, "calls");
        json_open_array(w);
        for (size_t i = 0; i < t->n_tool_calls; i++)
            ipc_tool_call_write(&t->tool_calls[i], w);
        json_close_array(w);
    }
    if (t->images)
        put_images(t->images, w);
    if (t->role == MODEL_RESULT) {
        json_member_str(w, "call_id", t->call_id);
        json_member_str(w, "call_name", t->call_name);
        json_member_bool(w, "failed", t->failed);
    }
    json_close_object(w);
}

static void
put_turns(const struct provider_request *req, struct json_writer *w)
{
    json_key(w, "turns");
    json_open_array(w);
    for (size_t i = 0; i < req->n_turns; i++)
        put_turn(&req->turns[i], w);
    json_close_array(w);
}

static void
put_tools(const struct provider_request *req, struct json_writer *w)
{
    json_key(w, "tools");
    json_open_array(w);
    for (size_t i = 0; i < req->n_tools; i++) {
        json_open_object(w);
        json_member_str(w, "name", req->tools[i].name);
        json_member_str(w, "description", req->tools[i].description);
        json_key(w, "schema");
        json_put_value(w, req->tools[i].schema);
        json_close_object(w);
    }
    json_close_array(w);
}

int
ipc_query_write(const struct ipc_query *q, struct buf *out, struct err *e)
{
    const struct provider_request *req = &q->request;
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "ask");
    json_open_object(&w);
    json_member_int(&w, "id", q->id);
    json_member_str(&w, "provider", req->provider->name);
    json_member_str(&w, "url", req->url);
    if (req->url_name)
        json_member_str(&w, "url_name", req->url_name);
    if (req->key_name)
        json_member_str(&w, "key_name", req->key_name);
    json_member_str(&w, "model", req->model);
    if (q->key)
        json_member_str(&w, "key", q->key);
    if (q->ca_file)
        json_member_str(&w, "ca_file", q->ca_file);
    if (req->more_headers)
        json_member_str(&w, "headers", req->more_headers);
    if (q->any_model)
        json_member_bool(&w, "any_model", true);
    put_limits(&q->limits, &w);
    put_quirks(req->quirks, &w);
    if (req->system)
        json_member_str(&w, "system", req->system);
    put_turns(req, &w);
    put_tools(req, &w);
    if (req->schema) {
        json_key(&w, "schema");
        json_put_value(&w, req->schema);
    }
    json_close_object(&w);
    json_close_object(&w);
    buf_ch(out, '\n');
    return buf_ok(out, "the question", e);
}

static int
fail_turn(struct err *e)
{
    return err_set(e, ERR_INVALID, "request with an invalid turn");
}

static bool
read_role(const struct json *v, enum model_role *role)
{
    const char *word = json_get_str(v, "role");

    for (size_t i = 0; word && i < N_ROLES; i++) {
        if (strcmp(word, roles[i]) == 0) {
            *role = (enum model_role)i;
            return true;
        }
    }
    return false;
}

static int
read_images(const struct json *list, struct model_images *m)
{
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        struct model_image *image = &m->v[m->n];

        if (m->n++ == MODEL_IMAGES_MAX)
            return -1;
        image->type = json_get_str(v, "type");
        image->data = json_str(json_get(v, "data"), &image->n);
        if (!image->type || !image->data)
            return -1;
    }
    return 0;
}

/* calls: receives the calls of this turn; it has room for all of them. So do
 * images. */
static int
read_turn(const struct json *v, struct model_turn *t,
          struct model_tool_call *calls, struct model_images *images,
          struct err *e)
{
    const struct json *c = json_first(json_get(v, "calls"));
    const struct json *pictures = json_get(v, "images");

    t->text = json_get_str(v, "text");
    if (!t->text || !read_role(v, &t->role))
        return fail_turn(e);
    t->tool_calls = calls;
    for (; c; c = json_next(c)) {
        if (ipc_tool_call_read(c, &calls[t->n_tool_calls++]) < 0)
            return fail_turn(e);
    }
    t->call_id = json_get_str(v, "call_id");
    t->call_name = json_get_str(v, "call_name");
    (void)json_bool(json_get(v, "failed"), &t->failed);
    if (pictures && read_images(pictures, t->images = images) < 0)
        return fail_turn(e);
    if (t->role == MODEL_RESULT && (!t->call_id || !t->call_name))
        return fail_turn(e);
    return 0;
}

static int
read_turns(struct ipc_parsed_query *q, const struct json *list, struct err *e)
{
    struct provider_request *req = &q->query.request;
    const struct json *v;
    size_t n_calls = 0, n_images = 0;

    for (v = json_first(list); v; v = json_next(v)) {
        n_calls += json_count(json_get(v, "calls"));
        n_images += json_get(v, "images") != NULL;
    }
    q->turns = calloc(json_count(list) + 1, sizeof(*q->turns));
    q->calls = calloc(n_calls + 1, sizeof(*q->calls));
    q->images = calloc(n_images + 1, sizeof(*q->images));
    if (!q->turns || !q->calls || !q->images)
        return err_sys(e, "question");
    req->turns = q->turns;
    n_calls = n_images = 0;
    for (v = json_first(list); v; v = json_next(v)) {
        struct model_turn *t = &q->turns[req->n_turns++];

        if (read_turn(v, t, &q->calls[n_calls], &q->images[n_images], e) < 0)
            return -1;
        n_calls += t->n_tool_calls;
        n_images += t->images != NULL;
    }
    return 0;
}

static int
read_query_tools(struct ipc_parsed_query *q, const struct json *list,
                 struct err *e)
{
    struct provider_request *req = &q->query.request;
    const struct json *v;

    q->tools = calloc(json_count(list) + 1, sizeof(*q->tools));
    if (!q->tools)
        return err_sys(e, "question");
    req->tools = q->tools;
    for (v = json_first(list); v; v = json_next(v)) {
        struct provider_tool *t = &q->tools[req->n_tools++];

        t->name = json_get_str(v, "name");
        t->description = json_get_str(v, "description");
        t->schema = json_get(v, "schema");
        if (!t->name || !t->description || !t->schema)
            return err_set(e, ERR_INVALID, "request with an invalid tool");
    }
    return 0;
}
static int
read_limits(const struct json *v, struct model_limits *l, struct err *e)
{
    for (size_t i = 0; i < N_LIMITS; i++) {
        int64_t *to = (int64_t *)((char *)l + limit_rows[i].offset);

        if (!json_int(json_get(v, limit_rows[i].name), to) || *to < 0)
            return err_set(e, ERR_INVALID, "request without %s",
                           limit_rows[i].name);
    }
    return 0;
}

static int
read_query(struct ipc_parsed_query *q, const struct json *v, struct err *e)
{
    const char *provider = json_get_str(v, "provider");
    struct provider_request *req = &q->query.request;
    const struct json *quirk;

    req->provider = provider ? provider_find(provider) : NULL;
    req->url = json_get_str(v, "url");
    req->url_name = json_get_str(v, "url_name");
    req->key_name = json_get_str(v, "key_name");
    req->model = json_get_str(v, "model");
    if (!req->provider || !req->url || !req->model ||
        !json_int(json_get(v, "id"), &q->query.id))
        return err_set(e, ERR_INVALID,
                       "request without id, provider, url or model");
    q->query.key = json_get_str(v, "key");
    q->query.ca_file = json_get_str(v, "ca_file");
    req->more_headers = json_get_str(v, "headers");
    (void)json_bool(json_get(v, "any_model"), &q->query.any_model);
    req->system = json_get_str(v, "system");
    req->schema = json_get(v, "schema");
    quirk = json_first(json_get(v, "quirks"));
    for (; quirk; quirk = json_next(quirk)) {
        const char *name = json_str(quirk, NULL);

        req->quirks |= name ? quirk_bit(name) : 0;
    }
    if (read_turns(q, json_get(v, "turns"), e) < 0 ||
        read_query_tools(q, json_get(v, "tools"), e) < 0)
        return -1;
    return read_limits(json_get(v, "limits"), &q->query.limits, e);
}

struct ipc_parsed_query *
ipc_parsed_query_new(struct json *root, struct err *e)
{
    CLEANUP(ipc_parsed_query_free_p)
    struct ipc_parsed_query *q = calloc(1, sizeof(*q));

    if (!q) {
        json_free(root);
        err_sys(e, "question");
        return NULL;
    }
    q->root = root;
    if (read_query(q, json_get(root, "ask"), e) < 0)
        return NULL;
    return TAKE_PTR(q);
}

void
ipc_parsed_query_free(struct ipc_parsed_query *q)
{
    if (!q)
        return;
    if (q->query.key) /* the process may outlive the query */
        explicit_bzero((char *)(uintptr_t)q->query.key, strlen(q->query.key));
    free(q->turns);
    free(q->calls);
    free(q->images);
    free(q->tools);
    json_free(q->root);
    free(q);
}

void
ipc_failed_read(const struct json *v, struct err *why)
{
    const char *text = json_get_str(v, "text");
    int64_t code, kind;

    if (!json_int(json_get(v, "code"), &code) || code <= 0 || code >= ERR_N)
        code = ERR_MODEL;
    if (!json_int(json_get(v, "kind"), &kind) || kind < 0 || kind >= ERR_KIND_N)
        kind = ERR_KIND_NONE;
    err_set_kind(why, (enum err_code)code, (enum err_kind)kind, "%s",
                 text ? text : "no reason given");
}
