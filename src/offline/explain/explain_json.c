/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_json.c - an explanation for programs. */
#include <string.h>

#include "offline/explain/explain.h"

/* "command", … */
static const char *
kind_name(enum explain_kind kind)
{
    static const char *const names[] = {
        "command",  "keyword",  "option",     "value",     "operand",
        "operator", "redirect", "assignment", "expansion", "comment",
    };

    return names[kind];
}

static void
write_risk(const struct explain_risk *r, struct json_writer *w)
{
    json_open_object(w);
    json_member_bool(w, "destructive", r->destructive);
    json_member_bool(w, "privileged", r->privileged);
    json_member_bool(w, "network", r->network);
    json_member_bool(w, "opaque", r->opaque);
    json_key(w, "reasons");
    json_open_array(w);
    for (size_t i = 0; i < r->n; i++)
        json_put_str(w, r->reasons[i]);
    json_close_array(w);
    json_close_object(w);
}

/* "text" is the bytes themselves; what they stand for, the -m of -am, where
 * that is another. */
static void
write_part(const char *line, const struct explain_part *p,
           struct json_writer *w)
{
    size_t n = p->to - p->from;

    json_open_object(w);
    json_member_str(w, "kind", kind_name(p->kind));
    json_member_int(w, "from", (int64_t)p->from);
    json_member_int(w, "to", (int64_t)p->to);
    json_member_int(w, "depth", p->depth);
    json_key(w, "text");
    json_put_strn(w, line + p->from, n);
    if (strlen(p->what) != n || memcmp(p->what, line + p->from, n) != 0)
        json_member_str(w, "spelling", p->what);
    json_member_str(w, "meaning", p->meaning);
    if (p->source)
        json_member_str(w, "source", p->source);
    json_member_bool(w, "known", p->known);
    json_close_object(w);
}

void
explain_json(const struct explain *x, struct json_writer *w)
{
    json_open_object(w);
    json_member_bool(w, "known", x->known);
    json_member_str(w, "source", x->source);
    json_member_str(w, "summary", x->summary);
    json_key(w, "risk");
    write_risk(&x->risk, w);
    json_key(w, "parts");
    json_open_array(w);
    for (size_t i = 0; i < x->n; i++)
        write_part(x->line, &x->parts[i], w);
    json_close_array(w);
    json_close_object(w);
}
