/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_recipe.c - any bytes as recipes are read, checked and indexed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "offline/index/index.h"
#include "tests/unit/recipe_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An index that was made is one, and is found in by its own phrases. */
static void
make_index(const struct recipe_book *b)
{
    CLEANUP_BUF struct buf bytes = buf_of(16 << 20);
    CLEANUP(request_done) struct request q = {0};
    struct index_hit hits[4];
    struct err e = {0};
    const struct index *x;

    if (index_build(b, &bytes, &e) < 0)
        return;
    x = index_view(bytes.p, bytes.len, &e);
    if (!x || index_count(x) != recipe_book_count(b))
        abort();
    if (index_count(x) > 0 &&
        request_read(recipe_book_at(b, 0)->phrases[0], NULL, &q, &e) == 0)
        index_search(x, &q, hits, 4);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(free_p) char *text = strndup((const char *)data, size);
    CLEANUP(recipe_book_free_p) struct recipe_book *b = NULL;
    CLEANUP_BUF struct buf complaints = buf_of(1 << 20);
    struct err e = {0};

    b = text ? recipe_book_of(text, &e) : NULL;
    if (!b)
        return 0;
    for (size_t i = 0; i < recipe_book_count(b); i++)
        recipe_lint(recipe_book_at(b, i), &complaints);
    make_index(b);
    return 0;
}
