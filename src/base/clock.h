/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - monotonic time for timeouts, calendar time for display. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

int64_t clock_ms(void); /* CLOCK_MONOTONIC, milliseconds */
int64_t clock_us(void); /* CLOCK_MONOTONIC, microseconds */
int64_t clock_ns(void); /* CLOCK_MONOTONIC, nanoseconds */

/* Whether two times, such as those of files, are equal to the nanosecond. */
bool clock_is_same(const struct timespec *a, const struct timespec *b);

#define CLOCK_RFC3339_SIZE 32
/* Formats a time in UTC: "2026-01-02T03:04:05Z". Returns text. */
const char *clock_rfc3339(time_t t, char text[CLOCK_RFC3339_SIZE]);

/* Parses an HTTP date (RFC 9110, 5.6.7, IMF-fixdate) into seconds since the
 * epoch; -1 when it is none. */
time_t clock_parse_http_date(const char *text);

#endif
