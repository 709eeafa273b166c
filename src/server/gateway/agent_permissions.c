/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_permissions.c - what an agent asks permission for, until it is
 * answered. */
#include "server/gateway/agent_permissions.h"

#include <stdlib.h>
#include <string.h>

#include "wire/jsonrpc.h"
#include "json/write.h"

#define PARAMS_MAX (1u << 20) /* bytes */

static void
free_permission(struct agent_permission *one)
{
    if (!one)
        return;
    free(one->id);
    free(one->request_id);
    json_free(one->params);
    free(one);
}
DEFINE_CLEANUP(struct agent_permission, free_permission)

static struct json *
copy_question(const struct json *v, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(PARAMS_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_put_value(&w, v);
    return buf_ok(&text, "what it asks", e) < 0
               ? NULL
               : json_parse(text.p, text.len, 0, e);
}

struct agent_permission *
agent_permissions_add(struct agent_permissions *p, const char *begun,
                      const char *id, const struct json *params, struct err *e)
{
    CLEANUP(free_permission_p) struct agent_permission *one = NULL;
    CLEANUP_BUF struct buf name = buf_of(64);
    struct agent_permission **last = &p->first;

    if (!json_first(json_get(params, "options"))) {
        err_set(e, ERR_INVALID, "a question without options");
        return NULL;
    }
    if (p->n == AGENT_PERMISSIONS_MAX) {
        err_set(e, ERR_NOMEM, "more than %d questions at once",
                AGENT_PERMISSIONS_MAX);
        return NULL;
    }
    buf_printf(&name, "%s-%lu", begun, ++p->last);
    one = calloc(1, sizeof(*one));
    if (!one || !(one->id = strdup(id)) ||
        !(one->request_id = buf_take(&name))) {
        err_nomem(e);
        return NULL;
    }
    if (!(one->params = copy_question(params, e)))
        return NULL;
    while (*last)
        last = &(*last)->next;
    *last = one;
    p->n++;
    return TAKE_PTR(one);
}

struct agent_permission *
agent_permissions_find(struct agent_permissions *p, const char *request_id)
{
    struct agent_permission *one = p->first;

    while (one && strcmp(one->request_id, request_id) != 0)
        one = one->next;
    return one;
}

struct agent_permission *
agent_permissions_find_id(struct agent_permissions *p, const char *id)
{
    struct agent_permission *one = p->first;

    while (one && strcmp(one->id, id) != 0)
        one = one->next;
    return one;
}

void
agent_permissions_remove(struct agent_permissions *p,
                         struct agent_permission *one)
{
    struct agent_permission **at = &p->first;

    while (*at != one)
        at = &(*at)->next;
    *at = one->next;
    p->n--;
    free_permission(one);
}

void
agent_permissions_done(struct agent_permissions *p)
{
    while (p->first)
        agent_permissions_remove(p, p->first);
}

void
agent_permission_put(const struct agent_permission *one, struct buf *out)
{
    const struct json *call = json_get(one->params, "toolCall");
    const char *title = json_get_str(call, "title");
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "request_id", one->request_id);
    json_member_str(&w, "title", title ? title : "");
    json_key(&w, "options");
    json_put_value(&w, json_get(one->params, "options"));
    if (call) {
        json_key(&w, "toolCall");
        json_put_value(&w, call);
    }
    json_close_object(&w);
}

static bool
has_option(const struct agent_permission *one, const char *option_id)
{
    const struct json *o = json_first(json_get(one->params, "options"));

    for (; o && option_id; o = json_next(o)) {
        const char *id = json_get_str(o, "optionId");

        if (id && strcmp(id, option_id) == 0)
            return true;
    }
    return false;
}

void
agent_permission_put_answer(const struct agent_permission *one,
                            const char *option_id, struct buf *out)
{
    bool chosen = has_option(one, option_id);
    struct json_writer w;

    jsonrpc_begin_result(out, one->id);
    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "outcome");
    json_open_object(&w);
    json_member_str(&w, "outcome", chosen ? "selected" : "cancelled");
    if (chosen)
        json_member_str(&w, "optionId", option_id);
    json_close_object(&w);
    json_close_object(&w);
    buf_ch(out, '}');
}
