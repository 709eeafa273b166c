/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_sandbox.h - says in words what a step runs in.
 *
 * Whoever asks about a step names it: what the person says yes to writes there
 * alone, or, where it says "full", wherever that person may. */
#ifndef ACTION_STEP_SANDBOX_H
#define ACTION_STEP_SANDBOX_H

#include "action/step_verdict.h"
#include "base/buf.h"

/* Appends the profile, what it may write and why, as one line. */
void step_sandbox_write(struct buf *out, const struct seat *s,
                        const struct step_verdict *v);

#endif
