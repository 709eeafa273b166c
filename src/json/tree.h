/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - a tree of values, made as the scanner meets them.
 *
 * All values are in a few blocks, and all texts in one that is as large as
 * the text which is read: a name or a string is never longer without its
 * quotation marks, and behind a number stands at least one byte, so that each
 * has room for its NUL. Only json/ includes this. */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include "json/node.h"

struct json_tree; /* the memory; its first value is the root */

/* The caller's: a tree that is being made. */
struct json_build {
    struct json_tree *tree;
    char *to; /* where the next text goes */
    const char *name;
    size_t name_len;
    size_t depth;
    struct json *open[JSON_DEPTH_MAX]; /* the containers around what comes */
    struct json *last[JSON_DEPTH_MAX]; /* what each of them ends with so far */
};

/* For a text of n bytes. ERR_NOMEM. */
int json_build_init(struct json_build *b, size_t n, struct err *e);

/* What there is of the tree, which the caller frees with json_free. */
struct json *json_build_take(struct json_build *b);

/* What was put at `to` since `from` is a text from now on, and ends there.
 * Returns its length. */
size_t json_build_end_text(struct json_build *b, const char *from);

/* Adds a value where the build is; a container is open then. NULL:
 * ERR_NOMEM. */
struct json *json_build_add(struct json_build *b, enum json_type type,
                            struct err *e);
void json_build_close(struct json_build *b);

#endif
