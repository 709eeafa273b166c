/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_model_rank.c - any bytes as a server's lists of models: the best model
 * is one of them, has a plain name, and is not excluded.
 *
 * The first byte selects the memory, a NUL separates the two lists. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/model_rank.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct model_list *l, int64_t memory)
{
    const struct model_info *m = model_rank_best(l, memory);
    char why[MODEL_RANK_REASON_SIZE];

    if (l->n > MODEL_LIST_MAX)
        abort();
    if (!m)
        return;
    model_rank_reason(m, memory, why);
    if (model_rank_exclusion(m) || !m->name[0] || m->bytes < 0 ||
        m->billions < 0)
        abort();
    for (const char *p = m->name; *p; p++) {
        if (*p <= ' ' || *p > '~')
            abort();
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(model_list_done) struct model_list l = {0};
    CLEANUP(json_free_p) struct json *list = NULL;
    CLEANUP(json_free_p) struct json *running = NULL;
    const char *text = (const char *)data + 1;
    const char *second;
    size_t n;

    if (size < 2)
        return 0;
    second = memchr(text, '\0', size - 1);
    n = second ? (size_t)(second - text) : size - 1;
    list = json_parse(text, n, 0, NULL);
    if (second)
        running = json_parse(second + 1, size - 2 - n, 0, NULL);
    if (model_list_read(list, data[0] & 1, &l, NULL) < 0)
        return 0;
    model_list_mark_loaded(running, &l);
    check(&l, (int64_t)(data[0] >> 1) << 30);
    return 0;
}
