/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_phrase.c - what a command does, said so that it can be gone on. */
#include "offline/explain/explain_phrase.h"

void
phrase_init(struct phrase *p)
{
    *p = (struct phrase){0};
    buf_init(&p->verb, PHRASE_PART_MAX);
    buf_init(&p->noun, PHRASE_PART_MAX);
    buf_init(&p->rest, PHRASE_PART_MAX);
    buf_init(&p->tail, PHRASE_PART_MAX);
}

void
phrase_done(struct phrase *p)
{
    if (!p)
        return;
    buf_done(&p->verb);
    buf_done(&p->noun);
    buf_done(&p->rest);
    buf_done(&p->tail);
}

bool
phrase_has_thing(const struct phrase *p)
{
    return p->noun.len > 0;
}

void
phrase_thing(const struct phrase *p, struct buf *out)
{
    buf_printf(out, "%s%s%s", p->many ? "the " : "", p->noun.p, p->rest.p);
}

void
phrase_lines(const struct phrase *p, struct buf *out)
{
    buf_str(out, p->many ? "" : "the lines of ");
    phrase_thing(p, out);
}

void
phrase_write(const struct phrase *p, struct buf *out)
{
    buf_str(out, p->verb.p);
    if (phrase_has_thing(p)) {
        buf_ch(out, ' ');
        phrase_thing(p, out);
    }
    buf_str(out, p->tail.p);
    if (p->verb.bad || p->noun.bad || p->rest.bad || p->tail.bad)
        out->bad = true; /* too long: better unsaid than half */
    if (p->order)
        buf_printf(out, ", the %s first", p->order);
}
