/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_error_triage.c - finds error lines in any bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "action/error_triage.h"
#include "base/utf8.h"

#define TEXT_MAX  (1u << 20)
#define LINES_MAX (ERROR_LINES_SHOWN * (ERROR_LINE_BYTES + 8))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf lines = buf_of(LINES_MAX);
    struct error_lines c;
    size_t n = 0;

    if (utf8_repair(&text, (const char *)data, size) < 0)
        return 0;
    error_triage_find_lines(text.p, text.len, &c, &lines);
    for (size_t i = 0; i < lines.len; i++)
        n += lines.p[i] == '\n';
    if (lines.bad || n != c.shown || c.shown > c.found || c.found > c.lines ||
        !utf8_valid(lines.p, lines.len) || strlen(lines.p) != lines.len)
        abort();
    return 0;
}
