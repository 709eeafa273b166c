/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.c - writes debug messages on standard error for -v. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fd.h"

#define LINE_MAX_BYTES 1024
#define WRITE_MS       1000 /* a stuck terminal does not stop the program */

__attribute__((format(printf, 2, 0))) static void
write_line(const struct log *l, const char *fmt, va_list ap)
{
    char line[LINE_MAX_BYTES] = "agentsh: ";
    size_t n = strlen(line);

    vsnprintf(line + n, sizeof(line) - n - 1, fmt, ap);
    n = strlen(line);
    line[n++] = '\n';
    fd_write_all(l->fd, line, n, WRITE_MS, NULL);
}

void
log_debug(const struct log *l, const char *fmt, ...)
{
    va_list ap;

    if (!l || l->fd < 1 || !l->verbose)
        return;
    va_start(ap, fmt);
    write_line(l, fmt, ap);
    va_end(ap);
}
