/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_buffer.c - one big buffer that all connections of a loop read into. */
#include "wire/read_buffer.h"

#include <stdbool.h>

struct read_buffer {
    char *bytes; /* NULL: lent */
    size_t lent; /* how many are lent */
    bool freed;  /* by what is done with one that is lent */
};

struct read_buffer *
read_buffer_new(struct err *e)
{
    struct read_buffer *b = calloc(1, sizeof(*b));

    if (!b)
        err_nomem(e);
    return b;
}

void
read_buffer_free(struct read_buffer *b)
{
    if (!b)
        return;
    free(b->bytes);
    b->bytes = NULL;
    b->freed = true;
    if (b->lent == 0)
        free(b);
}

char *
read_buffer_borrow(struct read_buffer *b, struct err *e)
{
    char *bytes = b->bytes ? TAKE_PTR(b->bytes) : malloc(READ_BUFFER_BYTES);

    if (!bytes)
        err_nomem(e);
    else
        b->lent++;
    return bytes;
}

void
read_buffer_give_back(struct read_buffer *b, char *bytes)
{
    b->lent--;
    if (b->bytes || b->freed)
        free(bytes);
    else
        b->bytes = bytes;
    if (b->freed && b->lent == 0)
        free(b);
}
