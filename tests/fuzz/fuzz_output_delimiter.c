/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_output_delimiter.c - a mark is found where it is, and nothing else is
 * lost. The first byte is the size of the pieces; 0xff in the rest stands for a
 * mark. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "frontend/repl/output_delimiter.h"

#define STREAM_MAX (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* Scans in pieces until the mark or the end; says how many bytes were seen. */
static size_t
scan(struct output_delimiter *m, const struct buf *in, size_t piece,
     struct buf *out)
{
    size_t at = 0;

    while (at < in->len && m->expected) {
        size_t k = in->len - at < piece ? in->len - at : piece;

        at += output_delimiter_scan(m, in->p + at, k, out);
    }
    return at;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP_BUF struct buf in = buf_of(STREAM_MAX);
    CLEANUP_BUF struct buf out = buf_of(STREAM_MAX);
    const char *there;
    struct output_delimiter m;
    size_t seen;

    if (size == 0)
        return 0;
    output_delimiter_expect(&m, "cafe", 7);
    for (size_t i = 1; i < size && in.len < STREAM_MAX / 2; i++)
        buf_add(&in, data[i] == 0xff ? m.text : (const char *)&data[i],
                data[i] == 0xff ? m.len : 1);
    seen = scan(&m, &in, (size_t)data[0] + 1, &out);
    there = memmem(in.p, in.len, m.text, m.len);
    must(m.expected == !there);
    must(!memcmp(out.p, in.p, out.len));
    if (there)
        must(out.len == (size_t)(there - in.p) && seen == out.len + m.len);
    else
        must(out.len + m.held == in.len);
    return 0;
}
