/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_find.c - any request: a command for find begins with find.
 *
 * fuzz_generate.c leaves find out, whose many tests need inputs of their
 * own. */
#include "tests/fuzz/generator_check.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_request(data, size, generate_find, "|find|");
    return 0;
}
