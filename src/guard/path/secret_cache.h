/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_cache.h - stores which secrets a directory tree had.
 *
 * The cache has one node for each directory, in the order of the scan: which
 * directory it was and when it last changed, its name, and its items, which are
 * files and the nodes of its subdirectories. A directory's ctime, which no
 * program can set, moves when a name in it is created, removed or renamed; so
 * an unchanged directory has the same items. The file lies in the state
 * directory, one for each larger workspace, and is used only when nobody else
 * could have written it. A missing or damaged cache counts as an empty one. */
#ifndef GUARD_PATH_SECRET_CACHE_H
#define GUARD_PATH_SECRET_CACHE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"
#include "base/seat.h"

#define SECRET_CACHE_MAX (8u << 20) /* 30,000 directories take 2 MiB */

/* A part of a cache that was read. */
struct secret_cache_span {
    const char *p, *end; /* p NULL: nothing is known */
};

enum secret_cache_kind {
    SECRET_CACHE_FILE = 'f',
    SECRET_CACHE_LINK = 'l',
    SECRET_CACHE_UNREADABLE =
        's', /* the directory itself: it cannot be listed */
    SECRET_CACHE_DIRECTORY = 'd',
};

struct secret_cache_item {
    enum secret_cache_kind kind;
    const char *name;
    struct secret_cache_span node; /* of a directory */
};

/* Reads the cache of a root into `bytes`; *top receives the root's node. It is
 * in the state directory of the seat. */
void secret_cache_read(const struct seat *s, const char *root,
                       struct buf *bytes, struct secret_cache_span *top);
/* Stores the cache; a failure only makes the next scan slower. */
void secret_cache_write(const struct seat *s, const char *root,
                        const struct buf *nodes);

/* The items of a node. False: it is of another directory, which has changed
 * since, or it is damaged. */
bool secret_cache_items(const struct secret_cache_span *node,
                        const struct stat *st, struct secret_cache_span *items);

/* The same without the check for changes: the items that the directory had. */
bool secret_cache_old_items(const struct secret_cache_span *node,
                            struct secret_cache_span *items);

/* The next of the items that secret_cache_items returned; false: the end. */
bool secret_cache_next(struct secret_cache_span *items,
                       struct secret_cache_item *out);

/* secret_cache_begin starts a node and returns its offset in `out`; items are
 * added, and secret_cache_end completes it. A directory that changed at about
 * `now` may change again without a new ctime, so it is stored as one that
 * always counts as changed. */
size_t secret_cache_begin(struct buf *out, const char *name,
                          const struct stat *st, const struct timespec *now);
void secret_cache_add(struct buf *out, enum secret_cache_kind kind,
                      const char *name);
void secret_cache_end(struct buf *out, size_t node);

#endif
