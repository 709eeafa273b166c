/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox_denial.h - says which limit of the sandbox made a command fail. */
#ifndef UI_SANDBOX_DENIAL_H
#define UI_SANDBOX_DENIAL_H

#include "sandbox/preview/view.h"
#include "sandbox/spec.h"
#include "ui/app.h"

/* Opens a file in memory in which the launcher notes refused system calls;
 * the caller closes it. -1: e says why. */
int sandbox_denial_notes(struct err *e);

/* Prints on standard error what was refused and what to do. Nothing is printed
 * when no limit concerns anything that the command is known to do; returns
 * whether something was. view: the view that the command ran in, or NULL. argv
 * ends with NULL. notes: as above, or -1. status: of the command, as in a
 * shell. */
bool sandbox_denial_explain(struct app *a, const struct sandbox_spec *spec,
                            const struct view *view, const char *const *argv,
                            int notes, int status);

#endif
