/* SPDX-License-Identifier: GPL-3.0-or-later */
/* said.c - the answer to a question, out of the packets it comes in. */
#include "door/repl/said.h"

void
said_init(struct said *r)
{
    *r = (struct said){.whole = true};
    buf_init(&r->fields, TALK_PARTS_MAX);
}

void
said_done(struct said *r)
{
    if (!r)
        return;
    buf_done(&r->fields);
}

void
said_begin(struct said *r)
{
    buf_clear(&r->fields);
    r->whole = r->matches_known = false;
}

void
said_end(struct said *r)
{
    r->whole = true;
}

void
said_take(struct said *r, const char *msg, size_t n)
{
    if (r->whole || n == 0)
        return; /* late: the question was given up */
    if (msg[0] == TALK_DONE)
        r->whole = true;
    else if (msg[0] == TALK_MATCHES && !r->matches_known)
        r->matches_known = talk_read_matches(msg, n, &r->matches) == 0;
    else if (n > 1 && msg[n - 1] == '\0')
        buf_add(&r->fields, msg + 1, n - 1);
}

const struct buf *
said_fields(const struct said *r)
{
    return r->whole && !r->fields.bad ? &r->fields : NULL;
}
