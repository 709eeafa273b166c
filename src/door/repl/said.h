/* SPDX-License-Identifier: GPL-3.0-or-later */
/* said.h - the answer to a question, out of the packets it comes in. */
#ifndef REPL_SAID_H
#define REPL_SAID_H

#include "base/buf.h"
#include "door/repl/talk.h"

struct said {
    struct buf fields; /* strings one after another, each with its NUL */
    struct talk_matches matches;
    bool matches_known; /* the first packet of a completion has come */
    bool whole;
};

void said_init(struct said *r);
void said_done(struct said *r);

void said_begin(struct said *r); /* a question is asked */
void said_end(struct said *r);   /* no more will come */
void said_take(struct said *r, const char *msg, size_t n);

/* The fields once they are whole, else NULL. */
const struct buf *said_fields(const struct said *r);

#endif
