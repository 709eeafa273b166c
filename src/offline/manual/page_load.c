/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_load.c - a command's manual page, from the cache or read anew. */
#include "offline/manual/page_load.h"

#include <stdlib.h>
#include <string.h>

#include "offline/manual/blocks.h"
#include "offline/manual/harvest.h"
#include "offline/manual/manpath.h"
#include "offline/manual/page_cache.h"
#include "offline/manual/zread.h"

#define SOURCE_MAX    (8 * 1024 * 1024) /* unpacked; the largest has 2 MiB */
#define REDIRECTS_MAX 4                 /* pages have one */

/* The file that the source only points to, ".so man1/other.1", in target;
 * false when the source is a page itself. */
static bool
is_redirect(const struct buf *source, char target[256])
{
    const char *p = source->p;
    size_t n;

    while (*p == '\n' || strncmp(p, ".\\\"", 3) == 0 ||
           strncmp(p, "'\\\"", 3) == 0) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    if (strncmp(p, ".so", 3) != 0)
        return false;
    p += 3;
    p += strspn(p, " \t");
    n = strcspn(p, " \t\r\n");
    if (n == 0 || n > 255)
        return false;
    memcpy(target, p, n);
    target[n] = '\0';
    return true;
}

/* Reads the page's source, following redirections; every file that was read
 * goes into the key. */
static int
read_source(struct manpath_hit *hit, struct page_key *key, struct buf *source)
{
    char target[256];
    char *next;

    for (unsigned i = 0; i < REDIRECTS_MAX; i++) {
        buf_clear(source);
        if (page_key_add(key, hit->path) < 0 ||
            zread_file(hit->path, source, NULL) < 0)
            return -1;
        if (!is_redirect(source, target))
            return 0;
        next = manpath_follow(hit->path, hit->root, target);
        if (!next)
            return -1;
        free(hit->path);
        hit->path = next;
    }
    return -1;
}

int
page_load_source(const char *source, size_t n, const char *name,
                 const char *section, struct buf *out, struct err *e)
{
    CLEANUP(blocks_done) struct blocks b;

    blocks_init(&b);
    if (blocks_read_page(&b, source, n, e) < 0)
        return -1;
    harvest(&b, name, section, out);
    return buf_ok(out, "a manual page", e);
}

static struct page *
read_anew(const char *name, struct manpath_hit *hit)
{
    CLEANUP(page_key_done) struct page_key key = {0};
    CLEANUP_BUF struct buf source = buf_of(SOURCE_MAX);
    CLEANUP_BUF struct buf form = buf_of(PAGE_BYTES_MAX);

    if (read_source(hit, &key, &source) < 0 ||
        page_load_source(source.p, source.len, name, hit->section, &form,
                         NULL) < 0)
        return NULL;
    page_cache_put(&key, form.p, form.len);
    return page_new(buf_take(&form), NULL);
}

struct page *
page_load(const char *name)
{
    struct manpath_hit hit = {0};
    struct page *p;
    char *form;

    if (manpath_find(name, &hit) < 0)
        return NULL;
    form = page_cache_get(hit.path);
    p = form ? page_new(form, NULL) : read_anew(name, &hit);
    free(hit.path);
    return p;
}
