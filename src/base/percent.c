/* SPDX-License-Identifier: GPL-3.0-or-later */
/* percent.c - reads the escapes %XX of an address. */
#include "base/percent.h"

#include "base/ascii.h"

bool
percent_decode(const char *text, size_t n, bool form, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        int high, low;

        if (text[i] != '%') {
            buf_ch(out, form && text[i] == '+' ? ' ' : text[i]);
            continue;
        }
        high = n - i > 2 ? ascii_hex_value(text[i + 1]) : -1;
        low = high < 0 ? -1 : ascii_hex_value(text[i + 2]);
        if (low < 0 || (high | low) == 0)
            return false;
        buf_ch(out, (char)(high << 4 | low));
        i += 2;
    }
    return !out->bad;
}
