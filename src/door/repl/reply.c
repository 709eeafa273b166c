/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.c - the answer to a question, out of the packets it comes in. */
#include "door/repl/reply.h"

void
reply_init(struct reply *r)
{
    *r = (struct reply){.whole = true};
    buf_init(&r->fields, TALK_PARTS_MAX);
}

void
reply_done(struct reply *r)
{
    buf_done(&r->fields);
}

void
reply_begin(struct reply *r)
{
    buf_clear(&r->fields);
    r->whole = r->matches_known = false;
}

void
reply_end(struct reply *r)
{
    r->whole = true;
}

void
reply_take(struct reply *r, const char *msg, size_t n)
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
reply_fields(const struct reply *r)
{
    return r->whole && !r->fields.bad ? &r->fields : NULL;
}
