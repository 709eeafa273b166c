/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_request_parse.c - any bytes are a request, whose bounds all hold. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/request_parse.h"

static bool
any_path(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    *is_dir = strlen(path) % 2 == 0;
    return strlen(path) % 3 == 0;
}

static const char *
any_word(void *arg, const char *word)
{
    (void)arg;
    return strlen(word) % 2 ? "directory" : NULL;
}

static void
check_word(const struct request *q, size_t i)
{
    const struct request_word *w = &q->words[i];
    const struct request_value *v = request_value_of(q, i);

    if (w->from > w->to || w->to > strlen(q->text) ||
        (i > 0 && w->from < q->words[i - 1].to) ||
        strnlen(w->stem, sizeof(w->stem)) == sizeof(w->stem) ||
        strnlen(w->plain, sizeof(w->plain)) == sizeof(w->plain))
        abort();
    if (v && (!v->text || !(v->types & 1u << v->is) ||
              v->types >= 1u << SLOT_TYPES || w->value >= (int)q->n_values))
        abort();
    if (lexicon_distance(w->plain, w->stem, 3) > 4)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct request_world world = {.path = any_path, .mend = any_word};
    CLEANUP(free_p) char *text = strndup((const char *)data, size);
    CLEANUP(request_done) struct request q = {0};

    if (!text || request_read(text, &world, &q, NULL) < 0)
        abort();
    if (q.n > REQUEST_WORDS_MAX || q.n_values > q.n)
        abort();
    for (size_t i = 0; i < q.n; i++)
        check_word(&q, i);
    return 0;
}
