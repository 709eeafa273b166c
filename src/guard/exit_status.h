/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exit_status.h - says what the exit status of a command line means.
 *
 * The meaning follows from the line alone; its output is not read. */
#ifndef GUARD_EXIT_STATUS_H
#define GUARD_EXIT_STATUS_H

#include "base/buf.h"
#include "guard/risk/risk.h"

#define EXIT_STATUS_NOT_FOUND 127 /* a shell's: no such program */
#define EXIT_STATUS_SIGNALLED 128 /* plus the number of the signal */

/* The meaning that the line's last program gives to its status ("no line
 * matched"); NULL: it has none of its own. *answers: the status is an answer,
 * not a failure: grep found nothing, diff found a difference. The text is
 * static. */
const char *exit_status_meaning(const struct syntax *s, const struct risk *r,
                                int status, bool *answers);

/* Appends the end of a sentence: the program's own meaning, or what shells and
 * programs agree on ("command not found"). */
void exit_status_describe(const char *command, int status, struct buf *out);

#endif
