/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - the answer to a question, out of the packets it comes in. */
#ifndef REPL_REPLY_H
#define REPL_REPLY_H

#include "base/buf.h"
#include "door/repl/talk.h"

struct reply {
    struct buf fields; /* strings one after another, each with its NUL */
    struct talk_matches matches;
    bool matches_known; /* the first packet of a completion has come */
    bool whole;
};

void reply_init(struct reply *r);
void reply_done(struct reply *r);

void reply_begin(struct reply *r); /* a question is asked */
void reply_end(struct reply *r);   /* no more will come */
void reply_take(struct reply *r, const char *msg, size_t n);

/* The fields once they are whole, else NULL. */
const struct buf *reply_fields(const struct reply *r);

#endif
