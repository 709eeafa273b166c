/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_index.c - any bytes as an index of recipes: a valid one can be read.
 *
 * An input is a list of changes to an index that is whole: where (two bytes)
 * and what (four); a whole index of bytes alone would never be met. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "offline/index/index.h"
#include "tests/unit/recipe_text.h"

#define CHANGE 6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
change(struct buf *b, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + CHANGE <= size; i += CHANGE) {
        size_t at = 4 * ((size_t)data[i] + 256 * (size_t)data[i + 1]);

        if (at + 4 <= b->len)
            memcpy(b->p + at, data + i + 2, 4);
    }
}

static void
read_all(const struct index *x)
{
    CLEANUP(request_done) struct request q = {0};
    struct index_hit hits[INDEX_HITS_MAX];
    struct err e = {0};
    size_t n, length = 0;

    for (size_t i = 0; i < index_count(x); i++) {
        struct recipe r;

        index_recipe(x, i, &r);
        length += strlen(r.id) + strlen(r.title) + strlen(r.needs);
        for (size_t k = 0; k < r.n_phrases; k++)
            length += strlen(r.phrases[k]);
        for (size_t k = 0; k < r.n_steps; k++)
            length += strlen(r.steps[k].command);
    }
    if (request_read("copy lines of a.txt to b.txt, sort them", NULL, &q, &e))
        return;
    n = index_search(x, &q, hits, INDEX_HITS_MAX);
    for (size_t i = 0; i < n; i++)
        if (hits[i].recipe >= index_count(x))
            abort();
    if (index_spellcheck(x, "repositroy") && length == 0)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(recipe_book_free_p) struct recipe_book *b = NULL;
    CLEANUP_BUF struct buf bytes = buf_of(1 << 20);
    struct err e = {0};
    const struct index *x;

    b = recipe_book_of(RECIPE_TEXT, &e);
    if (!b || index_build(b, &bytes, &e) < 0)
        return 0;
    change(&bytes, data, size);
    x = index_view(bytes.p, bytes.len, &e);
    if (x)
        read_all(x);
    return 0;
}
