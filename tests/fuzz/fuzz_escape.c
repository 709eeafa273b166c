/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_escape.c - escapes, widths and wrapping hold for any bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "term/escape.h"
#include "term/width.h"

#define OUT_MAX (64u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

static void
check_escape(const char *p, size_t n, unsigned flags)
{
    struct buf out;
    bool same;

    buf_init(&out, OUT_MAX);
    escape_text(&out, NULL, p, n, flags);
    must(!out.bad && utf8_valid(out.p, out.len));
    same = out.len == n && memcmp(out.p, p, n) == 0;
    if (flags == 0) {
        must(escape_is_clean(out.p, out.len));
        must(escape_is_clean(p, n) == same);
    }
    if (flags & ESCAPE_LINES)
        must(!memchr(out.p, '\n', out.len) && !memchr(out.p, '\t', out.len));
    buf_done(&out);
}

/* Nothing but blanks and newlines comes or goes. */
static void
check_wrap(const char *p, size_t n, size_t columns)
{
    struct width_wrap w = {.columns = columns, .start = 3, .indent = 2};
    struct buf out;
    size_t at = 0;

    buf_init(&out, OUT_MAX);
    width_wrap(&out, p, n, &w);
    must(!out.bad);
    for (size_t i = 0; i < n; i++) {
        if (p[i] == ' ' || p[i] == '\n')
            continue;
        while (at < out.len && (out.p[at] == ' ' || out.p[at] == '\n'))
            at++;
        must(at < out.len && out.p[at++] == p[i]);
    }
    buf_done(&out);
}

static void
check_truncate(const char *p, size_t n, size_t columns)
{
    struct buf out;

    buf_init(&out, OUT_MAX);
    width_truncate(&out, p, n, columns, "\xE2\x80\xA6");
    must(!out.bad && width_text(out.p, out.len) <= columns);
    buf_done(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data;

    for (unsigned flags = 0; flags < 4; flags++)
        check_escape(p, size, flags);
    for (size_t columns = 0; columns < 30; columns += 7) {
        check_wrap(p, size, columns);
        check_truncate(p, size, columns);
    }
    return 0;
}
