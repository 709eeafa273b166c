/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_find.c - any wish: what find's composer makes of it is one command
 * line that the shell reads, and it starts with find. */
#include "tests/fuzz/wish_composed.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_wish(data, size, find_compose, "|find|");
    return 0;
}
