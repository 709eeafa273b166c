/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.c - reads clocks, formats and parses times. */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

int64_t
clock_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int64_t
clock_us(void)
{
    return clock_ns() / 1000;
}

int64_t
clock_ms(void)
{
    return clock_us() / 1000;
}

bool
clock_is_same(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

const char *
clock_rfc3339(time_t t, char text[CLOCK_RFC3339_SIZE])
{
    struct tm tm;

    if (!gmtime_r(&t, &tm) ||
        strftime(text, CLOCK_RFC3339_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        memcpy(text, "1970-01-01T00:00:00Z", 21);
    return text;
}

time_t
clock_parse_http_date(const char *text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char month[4];
    const char *at;
    struct tm tm = {0};

    /* not strptime: month names there follow the locale */
    if (sscanf(text, "%*3s, %2d %3s %4d %2d:%2d:%2d GMT", &tm.tm_mday, month,
               &tm.tm_year, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 6)
        return -1;
    at = strlen(month) == 3 ? strstr(months, month) : NULL;
    if (!at || (at - months) % 3)
        return -1;
    tm.tm_mon = (int)(at - months) / 3;
    tm.tm_year -= 1900;
    return timegm(&tm);
}
