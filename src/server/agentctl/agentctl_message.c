/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_message.c - messages on their way between clients and an agent. */
#include "server/agentctl/agentctl_message.h"

#include <string.h>

#include "base/array.h"

/* For an id, which has 4096 bytes at most, and its key. */
#define ID_ROOM 8192

static int
check_params(const struct json *root, struct err *e)
{
    const struct json *params = json_get(root, "params");

    if (!params || json_type(params) == JSON_OBJECT ||
        json_type(params) == JSON_ARRAY || json_type(params) == JSON_NULL)
        return 0;
    return err_set(e, ERR_INVALID, "params must be an object or an array");
}

static int
check_message_id(const struct jsonrpc *m, struct err *e)
{
    const struct json *id = json_get(m->root, "id");

    if (m->id || !id || json_type(id) == JSON_NULL)
        return 0;
    return err_set(e, ERR_INVALID, "id must be a string or an integer");
}

static int
check_method(const struct jsonrpc *m, enum agentctl_kind *kind, struct err *e)
{
    const char *method = json_get_str(m->root, "method");

    if (!method || !*method)
        return err_set(e, ERR_INVALID, "method must be a string");
    if (json_get(m->root, "result") || json_get(m->root, "error"))
        return err_set(e, ERR_INVALID, "it is both a request and a response");
    *kind = m->id ? AGENTCTL_REQUEST : AGENTCTL_NOTIFICATION;
    return check_params(m->root, e);
}

static int
check_response_members(const struct jsonrpc *m, enum agentctl_kind *kind,
                       struct err *e)
{
    const struct json *error = json_get(m->root, "error");
    bool result = json_get(m->root, "result") != NULL;

    if (!error && !result)
        return err_set(e, ERR_INVALID, "method is missing");
    if (error && (result || json_type(error) != JSON_OBJECT))
        return err_set(e, ERR_INVALID,
                       "a response has a result, or an error, which is an "
                       "object");
    if (!m->id)
        return err_set(e, ERR_INVALID, "a response needs the id of a request");
    *kind = AGENTCTL_RESPONSE;
    return 0;
}

int
agentctl_message_check(const struct jsonrpc *m, int rc, const struct err *why,
                       enum agentctl_kind *kind, struct err *e)
{
    const struct json *version = json_get(m->root, "jsonrpc");
    const char *text = json_text(version);

    if (rc < 0 && !m->root)
        return err_set(e, ERR_PARSE, "it is not valid JSON: %s", why->text);
    if (json_type(m->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "it must be an object");
    if (version && (!text || strcmp(text, "2.0") != 0))
        return err_set(e, ERR_INVALID, "jsonrpc must be \"2.0\"");
    if (check_message_id(m, e) < 0)
        return -1;
    return json_get(m->root, "method") ? check_method(m, kind, e)
                                       : check_response_members(m, kind, e);
}

static void
begin_line(struct json_writer *w, struct buf *out, const char *id)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "jsonrpc", "2.0");
    if (!id)
        return;
    json_key(w, "id");
    json_put_raw(w, id, strlen(id));
}

static void
put_known_members(struct json_writer *w, const struct json *root)
{
    static const char *const members[] = {"method", "params", "result",
                                          "error"};

    for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
        const struct json *v = json_get(root, members[i]);

        if (!v || (json_type(v) == JSON_NULL && strcmp(members[i], "result")))
            continue;
        json_key(w, members[i]);
        json_put_value(w, v);
    }
}

static bool
is_member_of_envelope(const struct json *member)
{
    size_t n;
    const char *name = json_name(member, &n);

    return (n == 2 && memcmp(name, "id", n) == 0) ||
           (n == 7 && memcmp(name, "jsonrpc", n) == 0);
}

static void
put_all_members(struct json_writer *w, const struct json *root)
{
    for (const struct json *v = json_first(root); v; v = json_next(v)) {
        size_t n;
        const char *name = json_name(v, &n);

        if (is_member_of_envelope(v))
            continue;
        json_keyn(w, name, n);
        json_put_value(w, v);
    }
}

/* In the thread. */
static void
put_rest(void *arg, const struct jsonrpc *m)
{
    struct agentctl_reading *r = arg;
    struct json_writer w;

    if (json_type(m->root) != JSON_OBJECT)
        return;
    begin_line(&w, &r->rest, NULL);
    (r->all ? put_all_members : put_known_members)(&w, m->root);
    (void)buf_room(&r->rest, ID_ROOM);
}

void
agentctl_message_finish(struct buf *out, struct agentctl_reading *r,
                        const struct json *root, const char *id)
{
    struct json_writer w;

    if (r->rest.len > 0) {
        buf_done(out);
        *out = r->rest;
        buf_init(&r->rest, out->max);
        if (id)
            buf_printf(out, ",\"id\":%s", id);
        buf_ch(out, '}');
        return;
    }
    begin_line(&w, out, id);
    (r->all ? put_all_members : put_known_members)(&w, root);
    json_close_object(&w);
}

void
agentctl_reading_init(struct agentctl_reading *r)
{
    *r = (struct agentctl_reading){.rest = buf_of(AGENTCTL_LINE_MAX),
                                   .text = buf_of(0)};
}

void
agentctl_reading_done(struct agentctl_reading *r)
{
    parse_thread_free(r->thread);
    r->thread = NULL;
    buf_done(&r->rest);
    buf_done(&r->text);
}

static bool
parse_long(struct agentctl_reading *r, struct loop *l, const char *text,
           size_t n, struct buf *memory, parse_thread_cb *cb, void *arg)
{
    const struct parse_thread_more more = {.then = r->as_it_is ? NULL
                                                               : put_rest,
                                           .arg = r,
                                           .text = r->keeps ? &r->text : NULL};
    CLEANUP_BUF struct buf copy = buf_of(n);

    if (!memory) {
        buf_add(&copy, text, n);
        memory = &copy;
    }
    if (memory->bad)
        return false;
    r->thread = parse_thread_start_with(l, &more, memory, n, cb, arg);
    return r->thread != NULL;
}

bool
agentctl_message_parse(struct agentctl_reading *r, struct loop *l,
                       const char *text, size_t n, struct buf *memory,
                       parse_thread_cb *cb, void *arg)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int rc;

    if (n > PARSE_THREAD_LEAST && parse_long(r, l, text, n, memory, cb, arg))
        return true;
    rc = jsonrpc_parse(text, n, &m, &e);
    cb(arg, &m, rc, &e);
    return false;
}
