/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_syntax.c - parses any bytes and checks that the tree is consistent. */
#include <stdint.h>
#include <stdlib.h>

#include "../unit/syntax_show.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct syntax s;
    struct err e;

    if (syntax_read((const char *)data, size, &s, &e) < 0)
        return 0;
    if (syntax_wrong(&s, size))
        abort();
    syntax_done(&s);
    return 0;
}
