/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_file.h - names, opens and removes the files of a shell.
 *
 * A shell is named by its AGENTSH_SESSION, PID-NUMBER in decimal, which its
 * hook, or the interactive shell, exports. A file of it is KIND-SESSION, mode
 * 0600, in the runtime directory (PATH_RUNTIME). Whatever is there by that name
 * and is not ours, or could have been written by others, counts as none. The
 * shell removes its files when it ends; ui/shell_hook.h removes those of shells
 * that were killed. */
#ifndef RECORD_SHELL_FILE_H
#define RECORD_SHELL_FILE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/seat.h"

/* All there are: the hooks know the first five by name, too. */
enum shell_file {
    SHELL_FILE_LAST,   /* its last command (model/prompt/last_command.h) */
    SHELL_FILE_STDERR, /* what that showed */
    SHELL_FILE_INSERT, /* a command for its prompt (ui/prompt_insert.h) */
    SHELL_FILE_CHANGE, /* what a plan changes in it (ui/shell_change.h) */
    SHELL_FILE_LINE,   /* scratch of the bash hook */
    SHELL_FILE_RERUN,  /* what a second run of the last command showed */
    SHELL_FILE_TALK,   /* its conversation (record/shell_session.h) */
    SHELL_FILE_KINDS,
};

/* Whether the name of a shell may become a part of a file's name; NULL may not.
 */
bool shell_file_is_name(const char *session);

/* The process of a shell with a name PID-NUMBER; 0: it is another name, or
 * NULL.
 */
pid_t shell_file_pid(const char *session);

/* The caller frees it. NULL: ERR_NOT_FOUND where no shell has that name. */
char *shell_file_path(const struct seat *s, enum shell_file kind,
                      const char *session, struct err *e);

/* Opens it with these flags of open, never to wait and never by a link. A
 * descriptor, and in *st what is there; -1: it counts as none. */
int shell_file_open(const struct seat *s, enum shell_file kind,
                    const char *session, int flags, struct stat *st);

void shell_file_remove(const struct seat *s, enum shell_file kind,
                       const char *session);

/* The session in the name of a file of that kind, borrowed from it; NULL: it is
 * another file. */
const char *shell_file_session(const char *name, enum shell_file kind);

#endif
