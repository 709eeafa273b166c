/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ended.h - what the exit status of a command line says, without its output. */
#ifndef GUARD_ENDED_H
#define GUARD_ENDED_H

#include "base/buf.h"
#include "guard/risk/risk.h"

/* What the program whose status is the line's means by it: "no line matched";
 * NULL: nothing of its own is known. *answers: then nothing is wrong, grep
 * found nothing and diff a difference. Static. */
const char *ended_meaning(const struct syntax *s, const struct risk *r,
                          int status, bool *answers);

/* Appends the rest of a sentence: the same, or what shells and programs agree
 * on ("there is no program of that name"). */
void ended_tell(const char *command, int status, struct buf *out);

#endif
