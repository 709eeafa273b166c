/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.c - the memory of a tree, and its values in it. */
#include "json/tree.h"

#include <stdlib.h>

#define FEW        16   /* values of most messages: no block for them */
#define BLOCK_MOST 4096 /* values of a block: larger ones save nothing */

struct block {
    struct block *next;
    struct json values[];
};

struct json_tree {
    struct json values[FEW]; /* the root first: json_free gets its address */
    struct block *more;
    struct json *unused, *end; /* of the block that was made last */
    size_t room;               /* of the next one */
    char text[];
};

int
json_build_init(struct json_build *b, size_t n, struct err *e)
{
    struct json_tree *t = malloc(sizeof(*t) + n + 1);

    if (!t)
        return err_set(e, ERR_NOMEM, "no memory for %zu bytes of JSON", n);
    t->more = NULL;
    t->unused = t->values;
    t->end = t->values + FEW;
    t->room = 2 * FEW;
    b->tree = t;
    b->to = t->text;
    b->name = NULL;
    b->name_len = b->depth = 0;
    return 0;
}

void
json_free(struct json *root)
{
    struct json_tree *t = (struct json_tree *)root;

    while (t && t->more) {
        struct block *next = t->more->next;

        free(t->more);
        t->more = next;
    }
    free(t);
}

struct json *
json_build_take(struct json_build *b)
{
    struct json_tree *t = TAKE_PTR(b->tree);

    return (struct json *)t;
}

size_t
json_build_end_text(struct json_build *b, const char *from)
{
    size_t n = (size_t)(b->to - from);

    *b->to++ = '\0';
    return n;
}

static int
add_block(struct json_tree *t)
{
    struct block *b = malloc(sizeof(*b) + t->room * sizeof(b->values[0]));

    if (!b)
        return -1;
    b->next = t->more;
    t->more = b;
    t->unused = b->values;
    t->end = b->values + t->room;
    t->room = t->room < BLOCK_MOST ? 2 * t->room : BLOCK_MOST;
    return 0;
}

struct json *
json_build_add(struct json_build *b, enum json_type type, struct err *e)
{
    struct json *in = b->depth ? b->open[b->depth - 1] : NULL;
    struct json *v;

    if (b->tree->unused == b->tree->end && add_block(b->tree) < 0) {
        err_set(e, ERR_NOMEM, "no memory for more values of JSON");
        return NULL;
    }
    v = b->tree->unused++;
    *v = (struct json){.type = (unsigned char)type,
                       .name = TAKE_PTR(b->name),
                       .name_len = (unsigned)b->name_len};
    if (in) {
        *(in->len++ ? &b->last[b->depth - 1]->next : &in->first) = v;
        b->last[b->depth - 1] = v;
    }
    if (type == JSON_ARRAY || type == JSON_OBJECT)
        b->open[b->depth++] = v;
    return v;
}

void
json_build_close(struct json_build *b)
{
    b->depth--;
}
