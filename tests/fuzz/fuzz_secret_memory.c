/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_secret_memory.c - any bytes as a memory: every item lies within them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/path/secret_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As a walk goes through what is as it was. */
static size_t
walk(struct memory_span node)
{
    struct memory_span items;
    struct memory_item item;
    size_t n = 1;

    if (!memory_old_items(&node, &items))
        return n;
    while (memory_next(&items, &item)) {
        if (item.name < node.p || item.name + strlen(item.name) >= node.end)
            abort();
        if (item.kind != MEMORY_DIRECTORY)
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
    /* bytes of exactly that length: what reads behind them is found out */
    char *copy = malloc(size + 1);
    struct memory_span top;

    if (!copy || size == 0) {
        free(copy);
        return 0;
    }
    memcpy(copy, data, size);
    top = (struct memory_span){copy, copy + size};
    if (walk(top) > size + 1)
        abort();
    free(copy);
    return 0;
}
