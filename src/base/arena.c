/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.c - allocates the memory of one tree, which is freed at once. */
#include "base/arena.h"

#include <stdlib.h>

#define CHUNK_FIRST 4096
#define CHUNK_MAX   (256 * 1024)

/* Structures are taken from the low end, texts from the high end, so that no
 * padding lies between them. */
struct arena_chunk {
    struct arena_chunk *older;
    size_t low, high; /* the free range of bytes */
    max_align_t bytes[];
};

struct arena {
    struct arena_chunk *newest;
    size_t next; /* size of the next chunk */
};

struct arena *
arena_new(void)
{
    struct arena *a = calloc(1, sizeof(*a));

    if (a)
        a->next = CHUNK_FIRST;
    return a;
}

void
arena_free(struct arena *a)
{
    if (!a)
        return;
    while (a->newest) {
        struct arena_chunk *c = a->newest;

        a->newest = c->older;
        free(c);
    }
    free(a);
}

static struct arena_chunk *
chunk_with(struct arena *a, size_t n)
{
    struct arena_chunk *c = a->newest;
    size_t size = a->next;

    if (c && c->high - c->low >= n)
        return c;
    if (size < n)
        size = n + sizeof(max_align_t) - n % sizeof(max_align_t);
    c = calloc(1, sizeof(*c) + size);
    if (!c)
        return NULL;
    c->high = size;
    c->older = a->newest;
    a->newest = c;
    if (a->next < CHUNK_MAX)
        a->next *= 2;
    return c;
}

void *
arena_get(struct arena *a, size_t n)
{
    size_t unit = sizeof(void *), room = (n + unit - 1) / unit * unit;
    struct arena_chunk *c = chunk_with(a, room);
    char *at;

    if (!c)
        return NULL;
    at = (char *)c->bytes + c->low;
    c->low += room;
    return at;
}

char *
arena_text(struct arena *a, size_t n)
{
    struct arena_chunk *c = chunk_with(a, n);

    if (!c)
        return NULL;
    c->high -= n;
    return (char *)c->bytes + c->high;
}
