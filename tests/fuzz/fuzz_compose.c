/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_compose.c - any wish: whatever the composers make of it is a command
 * line that the shell reads. */
#include "tests/fuzz/wish_composed.h"

static int
compose_all(const struct request *q, struct shortlist *s, struct err *e)
{
    for (const struct composer *c = composer_all(); c->name; c++)
        if (strcmp(c->name, "find") != 0 && /* it has its own */
            c->compose(q, s, e) < 0)
            return -1;
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_wish(data, size, compose_all, NULL);
    return 0;
}
