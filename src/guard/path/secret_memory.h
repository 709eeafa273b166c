/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_memory.h - what was found in a directory tree, for the next time.
 *
 * One node a directory, in the order of a walk: which directory it was and
 * when it was last changed, its name, then its items: files, and the nodes of
 * its directories. A directory's time of change, which no program can set,
 * moves when a name is made, removed or renamed in it; so one that is as it
 * was has the same items. Lies in the state directory, one file for a
 * workspace of some size; it is used only where nobody else could write it.
 * A memory that is missing or damaged is as if nothing were known. */
#ifndef GUARD_PATH_SECRET_MEMORY_H
#define GUARD_PATH_SECRET_MEMORY_H

#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"

#define SECRET_MEMORY_MAX (8u << 20) /* of 30,000 directories it is 2 MiB */

/* Bytes of a memory that is read. */
struct memory_span {
    const char *p, *end; /* p NULL: nothing is known */
};

enum memory_kind {
    MEMORY_FILE = 'f',
    MEMORY_LINK = 'l',
    MEMORY_SHUT = 's', /* the directory itself: it cannot be listed */
    MEMORY_DIRECTORY = 'd',
};

struct memory_item {
    enum memory_kind kind;
    const char *name;
    struct memory_span node; /* of a directory */
};

/* Reads the memory of a root: its node in *top. `bytes` is room for it. */
void secret_memory_read(const char *root, struct buf *bytes,
                        struct memory_span *top);
/* Writes it; what fails is only slower the next time. */
void secret_memory_write(const char *root, const struct buf *nodes);

/* The items of a node, when it is of this directory, unchanged since, and
 * whole. */
bool memory_items(const struct memory_span *node, const struct stat *st,
                  struct memory_span *items);

/* The same whatever became of the directory: what its directories were. */
bool memory_old_items(const struct memory_span *node,
                      struct memory_span *items);

/* The next item of items that memory_items said are whole. */
bool memory_next(struct memory_span *items, struct memory_item *out);

/* Begins a node, to which items are added, and ends it: its place in `out` is
 * given back. A directory that changed at about `now` may change again without
 * showing it, and is noted as one that will have changed. */
size_t memory_begin(struct buf *out, const char *name, const struct stat *st,
                    const struct timespec *now);
void memory_add(struct buf *out, enum memory_kind kind, const char *name);
void memory_end(struct buf *out, size_t node);

#endif
