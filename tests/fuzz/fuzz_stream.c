/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_stream.c - any bytes as the body of an answer, from each provider:
 * however they are cut, the same comes of them.
 *
 * The first byte chooses the provider and whether a tool was forced, the
 * second the size of the pieces. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/draft.h"
#include "model/provider.h"
#include "model/stream.h"

#define LIMIT 100 /* tokens asked for */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
run(const struct provider *p, const char *body, size_t n, size_t step,
    struct draft *d)
{
    CLEANUP(stream_free_p) struct stream *s = stream_new(p, d, NULL);
    struct err e = {0};

    if (!s)
        abort();
    for (size_t i = 0; i < n; i += step) {
        size_t part = n - i < step ? n - i : step;

        if (stream_add(s, body + i, part, &e) < 0)
            return e.code ? -1 : (abort(), -1);
    }
    if (stream_end(s, &e) < 0 || draft_check(d, LIMIT, &e) < 0)
        return e.code ? -1 : (abort(), -1);
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct provider *p;
    struct draft one, other;
    const char *body;
    size_t n;
    int rc;

    if (size < 2)
        return 0;
    p = provider_at(data[0] % 4);
    body = (const char *)data + 2;
    n = size - 2;
    draft_init(&one, data[0] & 4, "key");
    draft_init(&other, data[0] & 4, "key");
    rc = run(p, body, n, n ? n : 1, &one);
    if (rc != run(p, body, n, data[1] % 16 + 1u, &other))
        abort();
    if (rc == 0 && (one.text.len != other.text.len ||
                    memcmp(one.text.p, other.text.p, one.text.len) != 0))
        abort();
    draft_done(&one);
    draft_done(&other);
    return 0;
}
