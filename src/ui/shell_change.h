/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_change.h - carries what a plan did back to the user's shell.
 *
 * A step is a process of its own: a `cd` or `export` in it changes nothing in
 * the shell that started us, and its command is not in that shell's history.
 * So what ran is written into a file of the session (session_file.h), as
 * records that each end in a NUL: a letter, then text. The last of a step is a
 * full stop: a file that does not end so was cut, and none of it is read. At
 * its next prompt the shell adds the lines to its history, and does the changes
 * by its own builtins on literal words: nothing in a record is read as code. */
#ifndef UI_SHELL_CHANGE_H
#define UI_SHELL_CHANGE_H

#include "action/aiaction.h"
#include "action/step_verdict.h"
#include "base/buf.h"

#define SHELL_CHANGE_MAX (64u << 10) /* bytes of all records; see the hooks */

enum shell_change_kind {
    SHELL_CHANGE_LINE = 'l',      /* a command that ran, for the history */
    SHELL_CHANGE_DIRECTORY = 'd', /* absolute */
    SHELL_CHANGE_VARIABLE = 'v',  /* NAME=VALUE, to be exported */
    SHELL_CHANGE_END = '.',       /* no text */
};

/* Whether the shell of the seat reads such records. */
bool shell_change_is_possible(const struct seat *s);

/* Whether a step only is `cd DIRECTORY` or `export NAME=VALUE …`, with all
 * words known: literal, ~, or variables of the seat. Appends to records (NULL:
 * nothing) what it changes, and to text (NULL: nothing) the same for a person.
 */
bool shell_change_of(const struct step *step, const struct step_verdict *v,
                     struct buf *records, struct buf *text);

/* A step has ended, for real and here: hands over its command, and if it has
 * succeeded what it changes. Without such a shell nothing happens. */
int shell_change_put(const struct seat *s, const struct step *step,
                     const struct step_verdict *v, bool success, struct err *e);

/* For the REPL: create the file; read and empty it, a call for each record
 * that is as it should be; remove it. */
int shell_change_open(const struct seat *s, const char *session, struct err *e);
void shell_change_read(const struct seat *s, const char *session,
                       void (*each)(void *arg, enum shell_change_kind kind,
                                    const char *text),
                       void *arg);
void shell_change_remove(const struct seat *s, const char *session);

#endif
