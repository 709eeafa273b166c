/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size.c - formats sizes and durations for a person. */
#include "base/size.h"

#include <inttypes.h>
#include <stdio.h>

const char *
size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    double n = (double)bytes;
    int i = 0;

    while (n >= 1023.95) { /* what would be rounded to 1024.0 */
        n /= 1024;
        i++;
    }
    snprintf(text, SIZE_TEXT, i == 0 ? "%.0f %s" : "%.1f %s", n, units[i]);
    return text;
}

const char *
size_time_text(uint64_t s, char text[SIZE_TEXT])
{
    uint64_t min = s / 60, h = min / 60, d = h / 24;

    if (d > 0)
        snprintf(text, SIZE_TEXT, "%" PRIu64 " d %" PRIu64 " h", d, h % 24);
    else if (h > 0)
        snprintf(text, SIZE_TEXT, "%" PRIu64 " h %" PRIu64 " min", h, min % 60);
    else if (min > 0)
        snprintf(text, SIZE_TEXT, "%" PRIu64 " min", min);
    else
        snprintf(text, SIZE_TEXT, "%" PRIu64 " s", s);
    return text;
}
