/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_file.h - the files by which `ai` reaches the shell that started it.
 *
 * The shell with the hook, or the REPL, creates a file of its own
 * (record/shell_file.h) empty, which says that it will read it. `ai` writes
 * into it; at its next prompt the shell reads and empties it. Both sides refuse
 * a file that others could have read or written. */
#ifndef UI_SESSION_FILE_H
#define UI_SESSION_FILE_H

#include <stddef.h>

#include "base/seat.h"
#include "record/shell_file.h"

/* Of the shell of the seat, which started us and waits for us: a descriptor
 * that appends, and in *size how much is in the file. ERR_UNSUPPORTED: that
 * shell has no hook, or another program stands between, so that another
 * prompt would come first. */
int session_file_write(const struct seat *s, enum shell_file kind, size_t *size,
                       struct err *e);

/* For the REPL, which is such a shell. Open it to read and empty it, with
 * *size: -1 where there is none. */
int session_file_create(const struct seat *s, enum shell_file kind,
                        const char *session, struct err *e);
int session_file_read(const struct seat *s, enum shell_file kind,
                      const char *session, size_t *size);

#endif
