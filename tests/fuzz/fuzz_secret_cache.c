/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_secret_cache.c - any bytes as a cache: every item lies within them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/path/secret_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads the items as a scan does when nothing has changed. */
static size_t
walk(struct secret_cache_span node)
{
    struct secret_cache_span items;
    struct secret_cache_item item;
    size_t n = 1;

    if (!secret_cache_old_items(&node, &items))
        return n;
    while (secret_cache_next(&items, &item)) {
        if (item.name < node.p || item.name + strlen(item.name) >= node.end)
            abort();
        if (item.kind != SECRET_CACHE_DIRECTORY)
            continue;
        if (item.node.p <= node.p || item.node.end > node.end)
            abort();
        n += walk(item.node);
    }
    return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* exactly as many bytes, so that a read behind them is found */
    char *copy = malloc(size + 1);
    struct secret_cache_span top;

    if (!copy || size == 0) {
        free(copy);
        return 0;
    }
    memcpy(copy, data, size);
    top = (struct secret_cache_span){copy, copy + size};
    if (walk(top) > size + 1)
        abort();
    free(copy);
    return 0;
}
