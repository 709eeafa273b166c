/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_stream.c - any bytes as the body of an answer, from each provider: the
 * result is the same however they are split.
 *
 * The first byte selects the provider, whether a tool was forced and how tools
 * were declared, the second the size of the pieces. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "model/provider/response.h"
#include "model/provider/stream.h"

#define LIMIT 100 /* tokens asked for */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
run(const struct provider *p, const char *body, size_t n, size_t step,
    struct model_response *d)
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
    if (stream_end(s, &e) < 0 || model_response_check(d, LIMIT, &e) < 0)
        return e.code ? -1 : (abort(), -1);
    return 0;
}

static void
begin(struct model_response *d, uint8_t how)
{
    static const enum tool_declarations_form calls[] = {
        TOOL_DECLARATIONS_NONE, TOOL_DECLARATIONS_NATIVE,
        TOOL_DECLARATIONS_TEXT, TOOL_DECLARATIONS_NATIVE};

    model_response_init(d, how & 4, "key");
    model_response_expect_calls(d, calls[(how >> 3) % 4], how >> 5);
}

static bool
is_same(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

/* Whether two drafts hold the same; what goes back with a call is JSON, and
 * bounds hold. */
static bool
is_alike(const struct model_response *a, const struct model_response *b)
{
    if (!is_same(&a->text, &b->text) || a->tool_calls.n != b->tool_calls.n ||
        a->tool_calls.n > MODEL_TOOL_CALLS_MAX)
        return false;
    for (size_t i = 0; i < a->tool_calls.n; i++) {
        const struct tool_calls_entry *c = &a->tool_calls.rows[i],
                                      *d = &b->tool_calls.rows[i];

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
    struct model_response one, other;
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
    model_response_done(&one);
    model_response_done(&other);
    return 0;
}
