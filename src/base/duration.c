/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.c - reads a length of time as options and settings write it. */
#include "base/duration.h"

#include <stdlib.h>
#include <string.h>

#define DAYS_MAX   10000
#define DAY_MS     INT64_C(86400000)
#define DIGITS_MAX 12

int
duration_read(const char *text, int64_t *ms, struct err *e)
{
    static const char units[] = "smhd";
    static const int64_t unit_ms[] = {1000, 60000, 3600000, DAY_MS};
    size_t digits = strspn(text, "0123456789");
    const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
    int64_t n;

    if (digits == 0 || digits > DIGITS_MAX || !unit || text[digits + 1])
        return err_set(e, ERR_INVALID,
                       "'%.40s' is no length of time, such as 30s, 5m, 2h or "
                       "7d",
                       text);
    n = strtoll(text, NULL, 10);
    if (n == 0 || n > DAYS_MAX * DAY_MS / unit_ms[unit - units])
        return err_set(e, ERR_INVALID, "'%.40s' is not from 1s to %dd", text,
                       DAYS_MAX);
    *ms = n * unit_ms[unit - units];
    return 0;
}
