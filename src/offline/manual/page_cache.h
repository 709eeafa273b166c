/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_cache.h - the text form of pages that were read before.
 *
 * $XDG_CACHE_HOME/agentsh/pages/, a fixed number of files: a page's path
 * chooses its file, a clash replaces it. Each names the files it was made of
 * with size and time of change; when one differs, or the file is not whole,
 * the page is read anew. Nothing here is an error: a cache that cannot be
 * written costs milliseconds. */
#ifndef OFFLINE_PAGE_CACHE_H
#define OFFLINE_PAGE_CACHE_H

#include <stddef.h>

#include "base/buf.h"

#define PAGE_CACHE_FILES 512

/* The files that a page was made of; the first is what was asked for. */
struct page_key {
    char *first;
    struct buf lines;
};

/* Adds a file as it is now; 0, or -1 when it is not there. */
int page_key_add(struct page_key *key, const char *path);
void page_key_done(struct page_key *key);

/* The form that was put for that path, if it still holds; the caller frees
 * it. NULL when there is none. */
char *page_cache_get(const char *path);

void page_cache_put(const struct page_key *key, const char *form, size_t n);

#endif
