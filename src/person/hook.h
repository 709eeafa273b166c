/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hook.h - what `agentsh init` gives to a shell, and what dead shells left.
 *
 * The scripts are in hooks/. After each command line they write a file
 * last-SESSION, mode 0600, into the runtime directory (PATH_RUNTIME), which
 * is refused unless it is ours and mode 0700. SESSION is $AGENTSH_SESSION,
 * PID-NUMBER in decimal, exported by the shell with that PID. The file is
 *
 *     status=N
 *     cwd=DIR
 *     duration_ms=N
 *     command=BYTES
 *
 * where DIR is where the line was typed, and is left out when it holds a
 * newline, and BYTES go on to the end of the file: at most HOOK_COMMAND_MAX,
 * newlines among them, not always UTF-8. A file that is empty says that
 * nothing has run yet. line-SESSION beside it is the bash hook's scratch. */
#ifndef PERSON_HOOK_H
#define PERSON_HOOK_H

#include "base/buf.h"
#include "base/err.h"

/* So that a record is read in one piece, whatever was pasted. */
#define HOOK_COMMAND_MAX 65536

/* Appends the hook for "bash", "zsh" or "fish"; ERR_USAGE for another. */
int hook_print(const char *shell, struct buf *out, struct err *e);

/* The same for the completion script, in which @TABLE@ stands once, between
 * single quotes, for the table of verbs and options. */
int completion_print(const char *shell, struct buf *out, struct err *e);

/* Removes the files of shells that have ended. What cannot be removed, or is
 * not surely ours, stays. */
void hook_sweep(void);

#endif
