/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_arena.c - memory for one tree: given in pieces, freed at once. */
#include "guard/syntax/syntax_arena.h"

#include <stdlib.h>

#define CHUNK_FIRST 4096
#define CHUNK_MAX   (256 * 1024)

/* Structures grow from below, texts from above, so neither pads the other. */
struct chunk {
    struct chunk *older;
    size_t low, high; /* what is free of bytes */
    max_align_t bytes[];
};

struct syntax_arena {
    struct chunk *newest;
    size_t next; /* size of the next chunk */
};

struct syntax_arena *
syntax_arena_new(void)
{
    struct syntax_arena *a = calloc(1, sizeof(*a));

    if (a)
        a->next = CHUNK_FIRST;
    return a;
}

void
syntax_arena_free(struct syntax_arena *a)
{
    if (!a)
        return;
    while (a->newest) {
        struct chunk *c = a->newest;

        a->newest = c->older;
        free(c);
    }
    free(a);
}

static struct chunk *
chunk_with(struct syntax_arena *a, size_t n)
{
    struct chunk *c = a->newest;
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
syntax_arena_get(struct syntax_arena *a, size_t n)
{
    size_t unit = sizeof(void *), room = (n + unit - 1) / unit * unit;
    struct chunk *c = chunk_with(a, room);
    char *at;

    if (!c)
        return NULL;
    at = (char *)c->bytes + c->low;
    c->low += room;
    return at;
}

char *
syntax_arena_text(struct syntax_arena *a, size_t n)
{
    struct chunk *c = chunk_with(a, n);

    if (!c)
        return NULL;
    c->high -= n;
    return (char *)c->bytes + c->high;
}
