/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_inventory.c - any two lists of packages can be read and compared. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "plugins/pkg.manage/inventory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
count(void *arg, enum inventory_change what, const char *name)
{
    size_t *left = arg;

    if (what >= CHANGE_N || !*name || *left == 0)
        abort();
    (*left)--;
}

/* The first byte is the form; an 'X' alone on a line parts the lists. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(inventory_done) struct inventory before;
    CLEANUP(inventory_done) struct inventory after;
    const char *text = (const char *)data, *half;
    size_t n, left;

    inventory_init(&before);
    inventory_init(&after);
    if (size < 2)
        return 0;
    half = memmem(text + 1, size - 1, "\nX\n", 3);
    n = half ? (size_t)(half - text) : size;
    buf_add(&before.text, text + 1, n - 1);
    buf_add(&after.text, text + n, size - n);
    if (inventory_parse(&before, data[0] % 3, NULL) < 0 ||
        inventory_parse(&after, data[0] % 3, NULL) < 0)
        abort();
    left = before.n + after.n;
    inventory_compare(&before, &after, count, &left);
    return 0;
}
