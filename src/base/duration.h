/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - reads a length of time as options and settings write it. */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdint.h>

#include "base/err.h"

/* Reads a whole number and its unit, "30s", "5m", "2h", "7d", as milliseconds.
 * ERR_INVALID: it is none, is 0, or is longer than 10,000 days. */
int duration_read(const char *text, int64_t *ms, struct err *e);

#endif
