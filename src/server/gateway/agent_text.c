/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_text.c - what an agent says in pieces: without secrets, and its end. */
#include "server/gateway/agent_text.h"

#include <string.h>

void
agent_text_init(struct agent_text *t)
{
    t->held = buf_of(2 * AGENT_TEXT_MAX);
    t->summary = buf_of(2 * AGENT_TEXT_MAX);
}

void
agent_text_done(struct agent_text *t)
{
    buf_done(&t->held);
    buf_done(&t->summary);
}

/* Keeps the last bytes, from the beginning of a character on. */
static void
cut_summary(struct buf *b)
{
    size_t over = b->len > AGENT_SUMMARY_MAX ? b->len - AGENT_SUMMARY_MAX : 0;

    while (over > 0 && over < b->len &&
           ((unsigned char)b->p[over] & 0xc0) == 0x80)
        over++;
    buf_drop(b, over);
}

size_t
agent_text_add(struct agent_text *t, const struct agent_secrets *s,
               const char *piece)
{
    size_t n = strnlen(piece, AGENT_TEXT_MAX);

    buf_add(&t->held, piece, n);
    buf_add(&t->summary, piece, n);
    cut_summary(&t->summary);
    agent_secrets_clean(s, &t->held);
    return t->held.len - agent_secrets_begun(s, t->held.p, t->held.len);
}
