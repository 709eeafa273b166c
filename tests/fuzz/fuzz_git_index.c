/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_git_index.c - any bytes as a git index: each name is found again. */
#include <stdint.h>
#include <stdlib.h>

#include "guard/effects/git_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t hashes[] = {20, 32};
    struct err e;

    for (size_t i = 0; i < 2; i++) {
        struct git_index *x = git_index_parse(data, size, hashes[i], &e);

        if (x && git_index_count(x) > size)
            abort();
        if (x && git_index_has(x, ""))
            abort();
        if (x)
            git_index_has_below(x, "src");
        git_index_free(x);
    }
    return 0;
}
