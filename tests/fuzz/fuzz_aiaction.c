/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_aiaction.c - whatever a model says is an action, an answer or an error;
 * an action prints as one that reads back with the same digest. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "action/aiaction.h"
#include "action/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
ignore(void *arg, const char *bytes, size_t n)
{
    (void)arg;
    (void)bytes;
    (void)n;
}

static void
check_round_trip(const struct aiaction *a)
{
    CLEANUP(aiaction_free_p) struct aiaction *b = NULL;
    CLEANUP_BUF struct buf out = buf_of(16 << 20);
    struct json_writer w;
    char one[SHA256_HEX_SIZE], two[SHA256_HEX_SIZE];

    json_write_init(&w, &out);
    aiaction_put(&w, a);
    b = aiaction_load(out.p, out.len, NULL);
    if (!b || aiaction_digest(a, one, NULL) < 0 ||
        aiaction_digest(b, two, NULL) < 0 || strcmp(one, two) != 0)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_parse(text, size, AIACTION_DO, NULL);
    CLEANUP(summary_free_p) struct summary *s = summary_new(ignore, NULL, NULL);

    summary_add(s, text, size);
    if (a && a->n > 0)
        check_round_trip(a);
    return 0;
}
