/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - a directory below /tmp for one run, where none can be mounted.
 *
 * Many programs fail without a place for what they write for themselves. Where
 * there are no mounts to give them an empty /tmp, TMPDIR names this one; it is
 * the user's alone, and goes with all that is in it. */
#ifndef SANDBOX_SCRATCH_H
#define SANDBOX_SCRATCH_H

#include "base/err.h"

#define SCRATCH_TEMPLATE "/tmp/agentsh-run-XXXXXX"
#define SCRATCH_SIZE     sizeof(SCRATCH_TEMPLATE)

/* Makes one; "" where /tmp takes none, and then there is none. */
void scratch_make(char path[SCRATCH_SIZE]);

/* Puts it in the environment: as TMPDIR, and for the caches that are to lie in
 * a /tmp of their own (environ_names_caches), which there is none of. Accepts
 * "". */
int scratch_export(const char *path, struct err *e);

/* Removes it, when nothing of the run is left; accepts "". */
void scratch_remove(const char *path);

#endif
