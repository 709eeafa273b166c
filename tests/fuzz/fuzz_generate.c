/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_generate.c - any request: a generated command is one that bash reads.
 *
 * It runs all generators but find (fuzz_find.c). */
#include "tests/fuzz/generator_check.h"

static int
generate_all(const struct request *q, struct shortlist *s, struct err *e)
{
    for (const struct generator *c = generator_all(); c->name; c++)
        if (strcmp(c->name, "find") != 0 && /* it has its own */
            c->generate(q, s, e) < 0)
            return -1;
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_request(data, size, generate_all, NULL);
    return 0;
}
