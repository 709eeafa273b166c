/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_find.c - any request: a command of find begins with find alone. */
#include "tests/fuzz/wish_composed.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_wish(data, size, generate_find, "|find|");
    return 0;
}
