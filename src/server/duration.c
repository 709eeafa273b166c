/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.c - reads a DURATION of an option: a number with s, m, h or d. */
#include "server/duration.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SECOND_MS  INT64_C(1000)
#define DAY_MS     (24 * 60 * 60 * SECOND_MS)
#define MAX_MS     (3650 * DAY_MS)
#define DIGITS_MAX 12

static const struct unit {
    char letter;
    int64_t ms;
} units[] = {
    {'s', SECOND_MS},
    {'m', 60 * SECOND_MS},
    {'h', 60 * 60 * SECOND_MS},
    {'d', DAY_MS},
};

/* 0: it is none. */
static int64_t
parse_duration(const char *text)
{
    size_t n = strspn(text, "0123456789");

    if (n == 0 || n > DIGITS_MAX || strlen(text) != n + 1)
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
        int64_t count = strtoll(text, NULL, 10);

        if (units[i].letter == text[n])
            return count <= MAX_MS / units[i].ms ? count * units[i].ms : 0;
    }
    return 0;
}

int
duration_read(const char *option, const char *text, int64_t *ms, struct err *e)
{
    int64_t read = parse_duration(text);

    if (read <= 0)
        return err_set(e, ERR_USAGE,
                       "%s %.40s: a duration is a number with s, m, h or d, "
                       "as 90s, and not 0",
                       option, text);
    *ms = read;
    return 0;
}
