/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_transcript.c - whatever is shown, its text is bounded and plain, and
 * the same however it was cut. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "frontend/repl/transcript.h"

#define TAIL 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

static void
tail_of(struct transcript *t, const char *p, size_t n, size_t piece,
        struct buf *out)
{
    transcript_clear(t);
    while (n > 0) {
        size_t k = n < piece ? n : piece;

        transcript_feed(t, p, k);
        p += k;
        n -= k;
    }
    transcript_tail(t, TAIL, out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(transcript_free_p) struct transcript *t = transcript_new(NULL);
    CLEANUP_BUF struct buf whole = buf_of(TAIL);
    CLEANUP_BUF struct buf pieces = buf_of(TAIL);

    tail_of(t, (const char *)data, size, size + 1, &whole);
    tail_of(t, (const char *)data, size, 3, &pieces);
    must(!whole.bad && utf8_valid(whole.p, whole.len));
    must(strlen(whole.p) == whole.len);
    for (size_t i = 0; i < whole.len; i++)
        must((unsigned char)whole.p[i] >= 0x20 || strchr("\n\t", whole.p[i]));
    must(whole.len == pieces.len && !memcmp(whole.p, pieces.p, whole.len));
    return 0;
}
