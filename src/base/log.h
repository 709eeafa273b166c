/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - what the program does, for those who asked to see it (-v).
 *
 * A logger is a value that is passed; a zero one says nothing. Text from
 * outside is escaped before it comes here. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

struct log {
    int fd;       /* where lines go; < 1: nowhere */
    bool verbose; /* log_debug too */
};

/* One line, "agentsh: text\n", written at once. */
void log_debug(const struct log *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
