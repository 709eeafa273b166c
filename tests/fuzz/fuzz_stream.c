/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_stream.c - any bytes as the body of an answer, from each provider:
 * however they are cut, the same comes of them.
 *
 * The first byte chooses the provider, whether a tool was forced and how tools
 * were offered, the second the size of the pieces. */
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

static void
begin(struct draft *d, uint8_t how)
{
    static const enum draft_calls calls[] = {CALLS_NONE, CALLS_NATIVE,
                                             CALLS_TEXT, CALLS_NATIVE};

    draft_init(d, how & 4, "key");
    draft_offer(d, calls[(how >> 3) % 4], how >> 5);
}

static bool
is_same(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

/* Whether two drafts hold the same; what goes back with a call is JSON, and
 * bounds hold. */
static bool
is_alike(const struct draft *a, const struct draft *b)
{
    if (!is_same(&a->text, &b->text) || a->wants.n != b->wants.n ||
        a->wants.n > MODEL_WANTED_MAX)
        return false;
    for (size_t i = 0; i < a->wants.n; i++) {
        const struct want *c = &a->wants.rows[i], *d = &b->wants.rows[i];

        if (!is_same(&c->id, &d->id) || !is_same(&c->name, &d->name) ||
            !is_same(&c->args, &d->args) || !is_same(&c->extra, &d->extra) ||
            c->id.len == 0)
            return false;
        if (c->extra.len > 0 &&
            json_span(c->extra.p, c->extra.len, NULL) != c->extra.len)
            return false;
    }
    return true;
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
    begin(&one, data[0]);
    begin(&other, data[0]);
    rc = run(p, body, n, n ? n : 1, &one);
    if (rc != run(p, body, n, data[1] % 16 + 1u, &other))
        abort();
    if (rc == 0 && !is_alike(&one, &other))
        abort();
    draft_done(&one);
    draft_done(&other);
    return 0;
}
