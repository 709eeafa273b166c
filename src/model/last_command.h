/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_command.h - the record that the hook and the REPL leave behind.
 *
 * last-SESSION, mode 0600, in the runtime directory (PATH_RUNTIME), which is
 * refused unless it is ours and mode 0700. SESSION is $AGENTSH_SESSION,
 * PID-NUMBER in decimal, exported by the shell with that PID. The file is
 *
 *     status=N
 *     cwd=DIR
 *     duration_ms=N
 *     command=BYTES
 *
 * where DIR is where the line was typed, and is left out when it holds a
 * newline, and BYTES go on to the end of the file: at most LAST_COMMAND_MAX,
 * newlines among them, not always UTF-8. A file that is empty says that
 * nothing has run yet. stderr-SESSION beside it: the tail of what the command
 * showed; absent where that was not captured. The files are a shell's, so
 * they are bytes from outside. */
#ifndef MODEL_LAST_COMMAND_H
#define MODEL_LAST_COMMAND_H

#include <stdbool.h>

#include "base/buf.h"

/* So that a record is read in one piece, whatever was pasted. The hooks have
 * the number too. */
#define LAST_COMMAND_MAX (64u << 10)
#define LAST_RECORD_MAX  (LAST_COMMAND_MAX + 8192) /* the lines before it */

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
