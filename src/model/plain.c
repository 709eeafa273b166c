/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.c - a call for a server that takes no tools. */
#include "model/plain.h"

#include <stdlib.h>
#include <string.h>

#include "model/ask.h"
#include "model/offer.h"
#include "model/prompt.h"
#include "model/wants.h"

bool
plain_is_needed(const struct call *c)
{
    return (c->quirks & QUIRK_NO_TOOLS) &&
           (c->n_tools > 0 || call_has_calls(c));
}

static void
put_system(struct plain *p, const struct call *c)
{
    struct json_writer w;

    if (c->system)
        buf_printf(&p->system, "%s\n", c->system);
    buf_str(&p->system, prompt_text(PROMPT_OFFER));
    for (size_t i = 0; i < c->n_tools; i++) {
        buf_printf(&p->system, "- %s: %s Arguments: ", c->tools[i].name,
                   c->tools[i].description);
        json_write_init(&w, &p->system);
        offer_put_schema(&c->tools[i], &w);
        buf_ch(&p->system, '\n');
    }
}

/* As the prompt asks the model to write it. */
static void
add_call(const struct model_wanted *c, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "tool");
    offer_put_name(c->name, &w);
    json_key(&w, "args");
    offer_put_args(c, &w);
    json_close_object(&w);
    buf_ch(out, '\n');
}

static int
add_result(const struct model_turn *t, struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf heading = buf_of(WANT_NAME_MAX);
    struct json_writer w;

    json_write_init(&w, &heading);
    offer_put_name(t->call_name, &w);
    buf_str(&heading, t->failed ? " failed:\n" : " answered:\n");
    if (buf_ok(&heading, "a result", e) < 0)
        return -1;
    return prompt_quote(heading.p, t->text, strlen(t->text), out, e);
}

static int
add_turn(const struct model_turn *t, struct buf *out, struct err *e)
{
    if (t->role == MODEL_RESULT)
        return add_result(t, out, e);
    if (t->text)
        buf_str(out, t->text);
    if (out->len > 0 && out->p[out->len - 1] != '\n' && t->n_wanted > 0)
        buf_ch(out, '\n');
    for (size_t i = 0; i < t->n_wanted; i++)
        add_call(&t->wanted[i], out);
    return 0;
}

/* The turns from i on that become one: results, and what the user says after
 * them, since some servers want the two sides to take turns strictly. */
static int
join_turns(const struct call *c, size_t *i, struct buf *out, struct err *e)
{
    bool assistant = c->turns[*i].role == MODEL_ASSISTANT;

    do {
        if (add_turn(&c->turns[(*i)++], out, e) < 0)
            return -1;
    } while (!assistant && *i < c->n_turns &&
             c->turns[*i].role != MODEL_ASSISTANT);
    return buf_ok(out, "the conversation", e);
}

static int
put_turns(struct plain *p, const struct call *c, struct err *e)
{
    p->turns = calloc(c->n_turns + 1, sizeof(*p->turns));
    if (!p->turns)
        return err_sys(e, "request");
    p->call.turns = p->turns;
    for (size_t i = 0; i < c->n_turns;) {
        CLEANUP_BUF struct buf text = buf_of(ASK_LINE_MAX);
        struct model_turn *t = &p->turns[p->call.n_turns];

        t->role = c->turns[i].role == MODEL_ASSISTANT ? MODEL_ASSISTANT
                                                      : MODEL_USER;
        if (join_turns(c, &i, &text, e) < 0)
            return -1;
        t->text = buf_take(&text);
        if (!t->text)
            return err_sys(e, "request");
        p->call.n_turns++;
    }
    return 0;
}

int
plain_init(struct plain *p, const struct call *c, struct err *e)
{
    *p = (struct plain){.call = *c};
    buf_init(&p->system, ASK_LINE_MAX);
    p->call.n_turns = p->call.n_tools = 0;
    if (c->n_tools > 0) {
        p->call.schema = NULL; /* a call does not fit it */
        put_system(p, c);
        p->call.system = p->system.p;
    }
    if (buf_ok(&p->system, "the system prompt", e) < 0)
        return -1;
    return put_turns(p, c, e);
}

void
plain_done(struct plain *p)
{
    if (!p)
        return;
    for (size_t i = 0; p->turns && i < p->call.n_turns; i++)
        free((char *)(uintptr_t)p->turns[i].text);
    free(p->turns);
    buf_done(&p->system);
}
