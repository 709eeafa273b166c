/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_load.h - a command's manual page, from the cache or read anew. */
#ifndef OFFLINE_PAGE_LOAD_H
#define OFFLINE_PAGE_LOAD_H

#include "offline/manual/page.h"

/* NULL when the machine has no page of that name, or none that can be read:
 * no reason is given, since the next source of knowledge is tried. */
struct page *page_load(const char *name);

/* Appends the text form (page.h) of the source of a manual page that was found
 * as `name` in `section`. */
int page_load_source(const char *source, size_t n, const char *name,
                     const char *section, struct buf *out, struct err *e);

#endif
