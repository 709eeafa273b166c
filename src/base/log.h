/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - writes debug messages on standard error for -v.
 *
 * A logger is a value that is passed along; a zeroed one writes nothing. The
 * caller escapes text from outside. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

struct log {
    int fd;       /* where lines are written; < 1: nowhere */
    bool verbose; /* whether log_debug writes */
};

/* Writes one line, "agentsh: text\n", with one call of write(2). */
void log_debug(const struct log *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
