/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_command.h - the record that the hook and the REPL leave behind.
 *
 * last-SESSION in the runtime directory: lines status=, cwd=, duration_ms=,
 * then command=, which goes on to the end. stderr-SESSION beside it: the tail
 * of what the command showed; absent where that was not captured. SESSION is
 * $AGENTSH_SESSION. The files are a shell's, so they are bytes from outside. */
#ifndef MODEL_LAST_COMMAND_H
#define MODEL_LAST_COMMAND_H

#include <stdbool.h>

#include "base/buf.h"

struct last_command {
    bool known; /* a command was recorded */
    int exit_code;
    struct buf command; /* as it was typed */
    struct buf shown;   /* tail of what it showed, where captured is true */
    bool captured;
};

/* Reads the record of this session. One that is missing, not ours or not
 * whole is as if there were none. */
void last_command_read(struct last_command *last);
void last_command_done(struct last_command *last);

/* Fills last from the file's bytes: for tests and fuzzing. */
void last_command_parse(struct last_command *last, const char *p, size_t n);

#endif
