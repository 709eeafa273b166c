/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - an answer of facts: a text for a model, values for programs. */
#include "plugins/lib/facts.h"

#include <stdlib.h>

#include "base/cleanup.h"

/* 16,384 listening sockets, or 65,536 packages, take some 4 MiB. */
#define VALUE_MAX (REPLY_LINE_MAX / 2)

void
facts_init(struct facts *f)
{
    *f = (struct facts){.n = 0};
    buf_init(&f->text, REPLY_TEXT_MAX);
}

void
facts_done(struct facts *f)
{
    buf_done(&f->text);
    while (f->n > 0)
        buf_done(&f->values[--f->n]);
}

struct json_writer
facts_value(struct facts *f, const char *name)
{
    struct json_writer w;

    if (f->n == FACTS_MAX)
        abort(); /* the tool's author counts them */
    f->names[f->n] = name;
    buf_init(&f->values[f->n], VALUE_MAX);
    json_write_init(&w, &f->values[f->n++]);
    return w;
}

int
facts_reply(const struct facts *f, const struct request *r, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    if (buf_ok(&f->text, "the facts", e) < 0)
        return -1;
    reply_begin(r, &w, &line, true, f->text.p, f->text.len, "", 0);
    for (size_t i = 0; i < f->n; i++) {
        if (buf_ok(&f->values[i], f->names[i], e) < 0)
            return -1;
        json_key(&w, f->names[i]);
        json_put_raw(&w, f->values[i].p, f->values[i].len);
    }
    return reply_send(&w, e);
}
