/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ended.h - what the exit status of a command line says, without its output. */
#ifndef PERSON_ENDED_H
#define PERSON_ENDED_H

#include "base/buf.h"

/* Appends the rest of a sentence: "bash found no program of that name". Where
 * the line is one command, what its program means by it; else what shells and
 * programs agree on. */
void ended_tell(const char *command, int status, struct buf *out);

#endif
