/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - the last command, where `ai` finds it.
 *
 * The files are those of model/last_command.h; stderr-SESSION is there when
 * the command failed, and empty when it showed nothing. */
#ifndef FRONTEND_REPL_TRACE_H
#define FRONTEND_REPL_TRACE_H

#include <stdint.h>

#include "base/err.h"

#define TRACE_STDERR_MAX 8192

struct trace {
    const char *session;
    const char *command; /* NULL: none has run yet */
    int status;
    const char *cwd;
    int64_t duration_ms;
    const char *shown; /* at most TRACE_STDERR_MAX bytes */
};

int trace_write(const struct trace *r, struct err *e);
void trace_remove(const char *session);

#endif
