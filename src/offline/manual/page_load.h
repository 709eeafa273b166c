/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_load.h - finds, reads and caches the manual page of a command.
 *
 * Pages that were read are kept in their text form (page.h) in
 * $XDG_CACHE_HOME/agentsh/pages/, which has a fixed number of files: a hash of
 * the page's path chooses the file, and a page replaces another one there. A
 * file names every file that its page was made of, with size and modification
 * time. When one of them differs, or the file is damaged, the page is read
 * again. No error of the cache is reported: without it a page costs some
 * milliseconds.
 * gzip'ed pages are unpacked with zlib, which is opened (dlopen) for the first
 * packed page and not linked: most runs of the program never need it. */
#ifndef OFFLINE_MANUAL_PAGE_LOAD_H
#define OFFLINE_MANUAL_PAGE_LOAD_H

#include <stddef.h>

#include "base/buf.h"
#include "base/seat.h"
#include "offline/manual/page.h"

#define PAGE_CACHE_FILES 512

/* The manual page of a command, as the seat's MANPATH and PATH have it; the
 * caller frees it. NULL when this machine has
 * no such page, or one that cannot be read. No reason is given: the caller
 * tries its next source of knowledge. */
struct page *page_load(const struct seat *s, const char *name);

/* Appends the text form of source[0..n), the source of a manual page that was
 * found as `name` in `section`. ERR_NOMEM, or the error of out. */
int page_load_source(const char *source, size_t n, const char *name,
                     const char *section, struct buf *out, struct err *e);

/* Appends bytes[0..n), unpacked when they begin as gzip does. */
int zread_bytes(const void *bytes, size_t n, struct buf *out, struct err *e);

#endif
