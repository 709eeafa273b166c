/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_turns.c - a question's conversation and tools as JSON, and back. */
#include <stdlib.h>
#include <string.h>

#include "model/ask.h"

static const char *const roles[] = {
    [MODEL_USER] = "user",
    [MODEL_ASSISTANT] = "assistant",
    [MODEL_RESULT] = "result",
};

#define N_ROLES (sizeof(roles) / sizeof(roles[0]))

void
ask_put_wanted(const struct model_wanted *c, struct json_writer *w)
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
ask_read_wanted(const struct json *v, struct model_wanted *c)
{
    c->id = json_get_str(v, "id");
    c->name = json_get_str(v, "name");
    c->args = json_str(json_get(v, "args"), &c->args_len);
    c->extra = json_get_str(v, "extra");
    return c->id && c->name && c->args ? 0 : -1;
}

static void
put_turn(const struct model_turn *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "role", roles[t->role]);
    json_member_str(w, "text", t->text ? t->text : "");
    if (t->n_wanted > 0) {
        json_key(w, "calls");
        json_open_array(w);
        for (size_t i = 0; i < t->n_wanted; i++)
            ask_put_wanted(&t->wanted[i], w);
        json_close_array(w);
    }
    if (t->role == MODEL_RESULT) {
        json_member_str(w, "call_id", t->call_id);
        json_member_str(w, "call_name", t->call_name);
        json_member_bool(w, "failed", t->failed);
    }
    json_close_object(w);
}

void
ask_put_turns(const struct call *c, struct json_writer *w)
{
    json_key(w, "turns");
    json_open_array(w);
    for (size_t i = 0; i < c->n_turns; i++)
        put_turn(&c->turns[i], w);
    json_close_array(w);
}

void
ask_put_tools(const struct call *c, struct json_writer *w)
{
    json_key(w, "tools");
    json_open_array(w);
    for (size_t i = 0; i < c->n_tools; i++) {
        json_open_object(w);
        json_member_str(w, "name", c->tools[i].name);
        json_member_str(w, "description", c->tools[i].description);
        json_key(w, "schema");
        json_put_value(w, c->tools[i].schema);
        json_close_object(w);
    }
    json_close_array(w);
}

static int
no_turn(struct err *e)
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

/* calls: where the turn's own are put; there is room for all of them. */
static int
read_turn(const struct json *v, struct model_turn *t,
          struct model_wanted *calls, struct err *e)
{
    const struct json *c = json_first(json_get(v, "calls"));

    t->text = json_get_str(v, "text");
    if (!t->text || !read_role(v, &t->role))
        return no_turn(e);
    t->wanted = calls;
    for (; c; c = json_next(c)) {
        if (ask_read_wanted(c, &calls[t->n_wanted++]) < 0)
            return no_turn(e);
    }
    t->call_id = json_get_str(v, "call_id");
    t->call_name = json_get_str(v, "call_name");
    (void)json_bool(json_get(v, "failed"), &t->failed);
    if (t->role == MODEL_RESULT && (!t->call_id || !t->call_name))
        return no_turn(e);
    return 0;
}

int
asked_read_turns(struct asked *q, const struct json *list, struct err *e)
{
    struct call *c = &q->a.call;
    const struct json *v;
    size_t n_calls = 0;

    for (v = json_first(list); v; v = json_next(v))
        n_calls += json_count(json_get(v, "calls"));
    q->turns = calloc(json_count(list) + 1, sizeof(*q->turns));
    q->calls = calloc(n_calls + 1, sizeof(*q->calls));
    if (!q->turns || !q->calls)
        return err_sys(e, "question");
    c->turns = q->turns;
    n_calls = 0;
    for (v = json_first(list); v; v = json_next(v)) {
        struct model_turn *t = &q->turns[c->n_turns++];

        if (read_turn(v, t, &q->calls[n_calls], e) < 0)
            return -1;
        n_calls += t->n_wanted;
    }
    return 0;
}

int
asked_read_tools(struct asked *q, const struct json *list, struct err *e)
{
    struct call *c = &q->a.call;
    const struct json *v;

    q->tools = calloc(json_count(list) + 1, sizeof(*q->tools));
    if (!q->tools)
        return err_sys(e, "question");
    c->tools = q->tools;
    for (v = json_first(list); v; v = json_next(v)) {
        struct call_tool *t = &q->tools[c->n_tools++];

        t->name = json_get_str(v, "name");
        t->description = json_get_str(v, "description");
        t->schema = json_get(v, "schema");
        if (!t->name || !t->description || !t->schema)
            return err_set(e, ERR_INVALID, "request with an invalid tool");
    }
    return 0;
}
