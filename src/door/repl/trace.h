/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - the last command, where `ai` finds it.
 *
 * The file is the one that the shell hooks write, last-SESSION in the runtime
 * directory: lines status=, cwd=, duration_ms=, then command=, which goes on
 * to the end. Beside it stderr-SESSION holds the end of what the command
 * showed, when it failed; empty, when it showed nothing. */
#ifndef REPL_TRACE_H
#define REPL_TRACE_H

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
