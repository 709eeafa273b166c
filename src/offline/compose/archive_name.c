/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_name.c - a name for an archive that the wish gives none. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/compose/archive.h"
#include "offline/compose/compose.h"

static void
put_named(struct sketch *k, const char *base, size_t n, const char *endings)
{
    CLEANUP_BUF struct buf name = buf_of(SKETCH_BYTES);

    buf_add(&name, base, n);
    buf_add(&name, endings, strcspn(endings, " "));
    buf_ch(&k->out, ' ');
    compose_path(&k->out, name.p);
}

/* An archive of one directory that has no name of its own gets that one's:
 * docs.tar.gz of docs/. */
bool
archive_put_own_name(struct sketch *k, const char *endings, unsigned parts)
{
    const struct literal *only = NULL;
    const char *base;
    size_t n;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!sketch_is_free(k, l) || !(parts >> l->role & 1) ||
            !literal_is_file(l))
            continue;
        if (only)
            return false;
        only = l;
    }
    if (!only || only->value->is == SLOT_EXT || only->value->is == SLOT_GLOB)
        return false;
    n = strlen(only->value->text);
    while (n > 0 && only->value->text[n - 1] == '/')
        n--;
    base = memrchr(only->value->text, '/', n);
    base = base ? base + 1 : only->value->text;
    n -= (size_t)(base - only->value->text);
    if (n == 0 || strchr("~$.", base[0]))
        return false;
    put_named(k, base, n, endings);
    return true;
}
