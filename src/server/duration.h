/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - reads a DURATION of an option: a number with s, m, h or d. */
#ifndef SERVER_DURATION_H
#define SERVER_DURATION_H

#include <stdint.h>

#include "base/err.h"

/* Reads "90s", "15m", "12h" or "7d" into milliseconds, more than 0 and at most
 * ten years. ERR_USAGE; option is its name, for the message. */
int duration_read(const char *option, const char *text, int64_t *ms,
                  struct err *e);

#endif
