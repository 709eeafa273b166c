/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocked.h - after a command failed behind walls: which of them it met. */
#ifndef PERSON_BLOCKED_H
#define PERSON_BLOCKED_H

#include "person/app.h"
#include "sandbox/preview/view.h"
#include "sandbox/spec.h"

/* Where the launcher notes refused calls: a file in memory; -1 with e. */
int blocked_notes(struct err *e);

/* Says on standard error what was refused, and what to do, or nothing when no
 * wall stands before anything that the command is known to do; whether it said
 * something. view: the command ran in it, or NULL. argv ends with NULL; status
 * is the command's, as a shell has it; notes as above, or -1. */
bool blocked_tell(struct app *a, const struct sandbox_spec *spec,
                  const struct view *view, const char *const *argv, int notes,
                  int status);

#endif
