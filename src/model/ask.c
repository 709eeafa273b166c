/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.c - a question as a line of JSON, and back. */
#include "model/ask.h"

#include <stdlib.h>
#include <string.h>

struct limit_row {
    const char *name;
    size_t offset;
};

static const struct limit_row limit_rows[] = {
    {"connect_ms", offsetof(struct ask_limits, connect_ms)},
    {"first_byte_ms", offsetof(struct ask_limits, first_byte_ms)},
    {"idle_ms", offsetof(struct ask_limits, idle_ms)},
    {"total_ms", offsetof(struct ask_limits, total_ms)},
    {"retries", offsetof(struct ask_limits, retries)},
};

#define N_LIMITS (sizeof(limit_rows) / sizeof(limit_rows[0]))

static void
put_limits(const struct ask_limits *l, struct json_writer *w)
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
    for (unsigned bit = 1; quirk_name(bit); bit <<= 1) {
        if (quirks & bit)
            json_put_str(w, quirk_name(bit));
    }
    json_close_array(w);
}

int
ask_write(const struct ask *a, struct buf *out, struct err *e)
{
    const struct call *c = &a->call;
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "ask");
    json_open_object(&w);
    json_member_int(&w, "id", a->id);
    json_member_str(&w, "provider", c->provider->name);
    json_member_str(&w, "url", c->url);
    json_member_str(&w, "model", c->model);
    if (a->key)
        json_member_str(&w, "key", a->key);
    put_limits(&a->limits, &w);
    put_quirks(c->quirks, &w);
    if (c->system)
        json_member_str(&w, "system", c->system);
    ask_put_turns(c, &w);
    ask_put_tools(c, &w);
    if (c->schema) {
        json_key(&w, "schema");
        json_put_value(&w, c->schema);
    }
    json_close_object(&w);
    json_close_object(&w);
    buf_ch(out, '\n');
    return buf_ok(out, "the question", e);
}

static int
read_limits(const struct json *v, struct ask_limits *l, struct err *e)
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
read_ask(struct asked *q, const struct json *v, struct err *e)
{
    const char *provider = json_get_str(v, "provider");
    struct call *c = &q->a.call;
    const struct json *quirk;

    c->provider = provider ? provider_find(provider) : NULL;
    c->url = json_get_str(v, "url");
    c->model = json_get_str(v, "model");
    if (!c->provider || !c->url || !c->model ||
        !json_int(json_get(v, "id"), &q->a.id))
        return err_set(e, ERR_INVALID,
                       "request without id, provider, url or model");
    q->a.key = json_get_str(v, "key");
    c->system = json_get_str(v, "system");
    c->schema = json_get(v, "schema");
    quirk = json_first(json_get(v, "quirks"));
    for (; quirk; quirk = json_next(quirk)) {
        const char *name = json_str(quirk, NULL);

        c->quirks |= name ? quirk_bit(name) : 0;
    }
    if (asked_read_turns(q, json_get(v, "turns"), e) < 0 ||
        asked_read_tools(q, json_get(v, "tools"), e) < 0)
        return -1;
    return read_limits(json_get(v, "limits"), &q->a.limits, e);
}

struct asked *
asked_new(struct json *root, struct err *e)
{
    CLEANUP(asked_free_p) struct asked *q = calloc(1, sizeof(*q));

    if (!q) {
        json_free(root);
        err_sys(e, "question");
        return NULL;
    }
    q->root = root;
    if (read_ask(q, json_get(root, "ask"), e) < 0)
        return NULL;
    return TAKE_PTR(q);
}

void
asked_free(struct asked *q)
{
    if (!q)
        return;
    free(q->turns);
    free(q->calls);
    free(q->tools);
    json_free(q->root);
    free(q);
}
