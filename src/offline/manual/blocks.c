/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks.c - collects headings, tags and paragraphs of a manual page. */
#include "offline/manual/blocks.h"

#include <stdlib.h>
#include <string.h>

void
blocks_init(struct blocks *b)
{
    *b = (struct blocks){0};
    buf_init(&b->text, BLOCKS_TEXT_MAX);
    blocks_begin(b, BLOCK_TEXT, 0);
}

void
blocks_done(struct blocks *b)
{
    if (!b)
        return;
    free(b->v);
    buf_done(&b->text);
    *b = (struct blocks){0};
}

void
blocks_begin(struct blocks *b, enum block_kind kind, unsigned indent)
{
    b->next = (struct page_block){.kind = kind, .indent = indent};
    b->open = false;
    b->at_break = false;
}

static bool
open_block(struct blocks *b)
{
    if (b->open)
        return true;
    if (b->n == BLOCKS_MAX)
        return false;
    if (b->n == b->cap) {
        size_t cap = b->cap ? b->cap * 2 : 128;
        void *p = reallocarray(b->v, cap, sizeof(*b->v));

        if (!p)
            return false;
        b->v = p;
        b->cap = cap;
    }
    if (b->n > 0)
        buf_ch(&b->text, '\0'); /* ends the block before */
    b->next.at = b->text.len;
    b->v[b->n++] = b->next;
    b->open = true;
    return true;
}

void
blocks_add(struct blocks *b, const char *text)
{
    bool first = !b->open;
    struct buf *t = &b->text;

    if (!*text || !open_block(b))
        return;
    if (!first && t->len > 0 && t->p[t->len - 1] == ROFF_JOIN)
        buf_cut(t, t->len - 1);
    else if (!first)
        buf_ch(t, b->keep_lines || b->at_break ? '\n' : ' ');
    buf_str(t, text);
    b->at_break = false;
}

void
blocks_break(struct blocks *b)
{
    b->at_break = true;
}

const char *
blocks_text(const struct blocks *b, size_t i)
{
    return b->text.p + b->v[i].at;
}
