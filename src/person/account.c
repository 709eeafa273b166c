/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account.c - what a run did before its last plan. */
#include "person/account.h"

#include "action/look.h"
#include "person/app.h"
#include "person/result.h"

#define LOOKED_MAX (16u << 20)  /* names and arguments, not what was told */
#define BEFORE_MAX (256u << 20) /* as reports are bounded */

void
account_init(struct account *c)
{
    buf_init(&c->looked, LOOKED_MAX);
    buf_init(&c->before, BEFORE_MAX);
}

void
account_done(struct account *c)
{
    if (!c)
        return;
    buf_done(&c->looked);
    buf_done(&c->before);
}

static void
put_call(struct json_writer *w, const struct look_call *c)
{
    json_member_str(w, "tool", c->tool);
    json_member_str(w, "action", c->action);
    if (c->args) {
        json_key(w, "args");
        json_put_value(w, c->args);
    }
    json_member_bool(w, "ran", c->ran);
    json_member_bool(w, "ok", !c->failed);
    json_member_int(w, "bytes", (int64_t)c->bytes);
    json_member_int(w, "duration_ms", c->ms);
}

static void
put_event(struct app *a, const struct look_call *c)
{
    CLEANUP_BUF struct buf line = buf_of(LOOKED_MAX);
    struct json_writer w;

    json_write_init(&w, &line);
    json_open_object(&w);
    json_member_str(&w, "event", "looked");
    put_call(&w, c);
    json_close_object(&w);
    buf_ch(&line, '\n');
    result_put(a, &line);
}

void
account_looked(struct app *a, const struct look_call *c)
{
    struct buf *b = &a->account.looked;
    struct json_writer w;

    if (a->output == OUTPUT_JSONL)
        put_event(a, c);
    if (a->output != OUTPUT_JSON)
        return;
    json_write_init(&w, b);
    w.comma = b->len > 0;
    json_open_object(&w);
    put_call(&w, c);
    json_close_object(&w);
}

void
account_before(struct app *a, const char *json, size_t n)
{
    struct buf *b = &a->account.before;

    if (b->len > 0)
        buf_ch(b, ',');
    buf_add(b, json, n);
}

static void
put_items(struct json_writer *w, const char *name, const struct buf *items)
{
    if (items->len == 0 || items->bad)
        return;
    json_key(w, name);
    json_open_array(w);
    json_put_raw(w, items->p, items->len);
    json_close_array(w);
}

void
account_put(const struct app *a, struct json_writer *w)
{
    put_items(w, "looked", &a->account.looked);
    put_items(w, "before", &a->account.before);
}
