/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h - for tests of manual pages: those of tests/data/man, and pages made
 * of a text. */
#ifndef TESTS_UNIT_PAGES_H
#define TESTS_UNIT_PAGES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offline/manual/page.h"

/* A group's set-up: pages of tests/data/man only, a cache that cannot be
 * made. */
static inline int
pages_of_ours(void **state)
{
    const char *src = getenv("top_srcdir");
    char path[4096];

    (void)state;
    snprintf(path, sizeof(path), "%s/tests/data/man", src ? src : ".");
    return setenv("MANPATH", path, 1) |
           setenv("XDG_CACHE_HOME", "/dev/null", 1);
}

/* A page in its text form (page.h); the caller frees it. */
static inline struct page *
page_of(const char *text)
{
    struct page *p = page_new(strdup(text), NULL);

    assert_non_null(p);
    return p;
}

#endif
