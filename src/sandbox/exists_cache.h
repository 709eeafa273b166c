/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exists_cache.h - answers which of many paths below a directory exist.
 *
 * Most of them do not, and a system call for each would be most of the work.
 * So the directory is listed once, and its subdirectories one at a time. */
#ifndef SANDBOX_EXISTS_CACHE_H
#define SANDBOX_EXISTS_CACHE_H

#include <stdbool.h>

#include "base/buf.h"
#include "sandbox/setup_stamps.h"

/* Bytes of the names of one directory. A directory with more is not listed;
 * then there is a system call for each path. */
#define EXISTS_CACHE_NAMES_MAX (1u << 20)

struct exists_cache {
    const char *dir; /* absolute, borrowed */
    struct buf names, inner;
    const char *inner_of; /* the path whose first part `inner` lists */
    bool listed, inner_listed;
    struct setup_stamps *stamps;
};

/* stamps, which may be NULL, gets what is read. */
void exists_cache_init(struct exists_cache *p, const char *dir,
                       struct setup_stamps *stamps);
void exists_cache_done(struct exists_cache *p);

/* Returns whether dir/place exists; a link counts, wherever it leads. place
 * has no slash in front and must live as long as p. Paths in the same
 * subdirectory should be asked for one after another. */
bool exists_cache_has(struct exists_cache *p, const char *place);

#endif
