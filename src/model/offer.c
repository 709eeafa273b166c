/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offer.c - what the providers' files have in common about tools. */
#include "model/offer.h"

#include <string.h>

#include "model/variant.h"
#include "model/wants.h"

#define NAME_MAX_SENT 64 /* the least that the providers take */

bool
call_has_calls(const struct call *c)
{
    for (size_t i = 0; i < c->n_turns; i++) {
        if (c->turns[i].role == MODEL_RESULT || c->turns[i].n_wanted > 0)
            return true;
    }
    return false;
}

unsigned
call_last_made(const struct call *c)
{
    unsigned last = 0;

    for (size_t i = 0; i < c->n_turns; i++) {
        for (size_t k = 0; k < c->turns[i].n_wanted; k++) {
            unsigned made = want_made(c->turns[i].wanted[k].id);

            if (made > last)
                last = made;
        }
    }
    return last;
}

enum call_offer
call_offer(const struct call *c)
{
    if (c->n_tools == 0)
        return OFFER_NONE;
    return c->quirks & QUIRK_NO_TOOLS ? OFFER_TEXT : OFFER_TOOLS;
}

void
offer_put_schema(const struct call_tool *t, struct json_writer *w)
{
    if (t && json_count(json_get(t->schema, "properties")) > 0) {
        variant_write(w, t->schema, VARIANT_ONE_TYPE);
        return;
    }
    json_open_object(w);
    json_member_str(w, "type", "object");
    json_key(w, "properties");
    json_open_object(w);
    json_close_object(w);
    json_close_object(w);
}

void
offer_put_name(const char *name, struct json_writer *w)
{
    static const char known[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    char safe[NAME_MAX_SENT + 1];
    size_t n = 0;

    for (; n < NAME_MAX_SENT && name[n]; n++)
        safe[n] = strchr(known, name[n]) ? name[n] : '_';
    if (n == 0)
        safe[n++] = '_';
    safe[n] = '\0';
    json_put_str(w, safe);
}

void
offer_put_args(const struct model_wanted *c, struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *v = NULL;

    v = json_parse(c->args, c->args_len, 0, NULL);
    if (json_type(v) == JSON_OBJECT) {
        json_put_value(w, v);
        return;
    }
    json_open_object(w);
    if (c->args_len > 0) {
        json_key(w, "not_an_object");
        json_put_strn(w, c->args, c->args_len);
    }
    json_close_object(w);
}

const struct json *
offer_extra(const struct model_wanted *c, const char *name, struct json **root)
{
    *root = c->extra ? json_parse(c->extra, strlen(c->extra), 0, NULL) : NULL;
    return json_get(*root, name);
}
