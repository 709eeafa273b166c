/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_command.h - writes and reads the record of the shell's last command.
 *
 * The shell hooks and the REPL write it, and `ai` reads it for the context. It
 * is the file last-SESSION, mode 0600, in the runtime directory
 * (PATH_RUNTIME), which is refused unless it is ours and has mode 0700.
 * SESSION is $AGENTSH_SESSION, PID-NUMBER in decimal, exported by the shell
 * with that PID. The file has these lines:
 *
 *     status=N
 *     cwd=DIR
 *     duration_ms=N
 *     command=BYTES
 *
 * DIR is where the command was typed; the line is left out when DIR holds a
 * newline. BYTES are the rest of the file: at most LAST_COMMAND_MAX, with
 * newlines in them, and not always UTF-8. An empty file means that no command
 * has run yet. Beside it, stderr-SESSION holds the tail of the command's
 * output when the command failed; it is absent when no output was captured.
 * The files belong to a shell: their contents are untrusted. */
#ifndef MODEL_PROMPT_LAST_COMMAND_H
#define MODEL_PROMPT_LAST_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/seat.h"

/* A limit, so that a record is read in one piece whatever was pasted. The
 * shell hooks have the number too. */
#define LAST_COMMAND_MAX (64u << 10)
#define LAST_RECORD_MAX  (LAST_COMMAND_MAX + 8192) /* the lines before it */

struct last_command {
    bool known; /* a command was recorded */
    int exit_code;
    struct buf command; /* as it was typed */
    struct buf shown;   /* the tail of its output, if captured is true */
    bool captured;
};

/* Reads the record of the seat's AGENTSH_SESSION. A record that is missing, not
 * ours or incomplete counts as none. */
void last_command_read(const struct seat *s, struct last_command *last);
void last_command_done(struct last_command *last);

/* Bytes of output that are kept in stderr-SESSION. */
#define LAST_COMMAND_STDERR_MAX 8192

struct last_command_record {
    const char *session;
    const char *command; /* NULL: none has run yet */
    int status;
    const char *cwd;
    int64_t duration_ms;
    const char *shown; /* at most LAST_COMMAND_STDERR_MAX bytes */
};

/* Writes both files, where the seat's runtime directory is. stderr-SESSION is
 * removed when the command succeeded, and is empty when a failed command
 * printed nothing. Without a command nothing is written. */
int last_command_write(const struct seat *s,
                       const struct last_command_record *r, struct err *e);
void last_command_remove(const struct seat *s, const char *session);

#endif
