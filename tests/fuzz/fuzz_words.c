/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_words.c - any bytes as a command line: words stay inside it. */
#include <stdint.h>
#include <stdlib.h>

#include "guard/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct words w;
    struct err e;
    size_t at = 0;

    if (words_split((const char *)data, size, &w, &e) < 0)
        return 0;
    for (size_t i = 0; i < w.n; i++) {
        if (w.v[i].from < at || w.v[i].to < w.v[i].from || w.v[i].to > size)
            abort();
        at = w.v[i].to;
    }
    for (size_t i = 0; i < w.n_parts; i++) {
        const struct word_part *p = &w.parts[i];

        if (p->word >= w.n || p->to > size || p->in < p->from ||
            p->in_to < p->in || p->in_to > p->to)
            abort();
    }
    words_done(&w);
    return 0;
}
