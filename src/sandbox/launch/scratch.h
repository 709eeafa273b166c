/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - a temporary directory for one run in a sandbox without mounts.
 *
 * Many programs fail without a directory for temporary files. Where no empty
 * /tmp can be mounted for them, TMPDIR names this directory; only the user can
 * access it, and it is removed with its contents after the run. */
#ifndef SANDBOX_LAUNCH_SCRATCH_H
#define SANDBOX_LAUNCH_SCRATCH_H

#include "base/err.h"

#define SCRATCH_TEMPLATE "/tmp/agentsh-run-XXXXXX"
#define SCRATCH_SIZE     sizeof(SCRATCH_TEMPLATE)

/* Makes the directory; path becomes "" where /tmp is not writable. */
void scratch_make(char path[SCRATCH_SIZE]);

/* Puts it in the environment: as TMPDIR, and for the caches that should lie in
 * a private /tmp (environ_names_caches). Accepts "". */
int scratch_export(const char *path, struct err *e);

/* Removes it, when no process of the run is left. Accepts "". */
void scratch_remove(const char *path);

#endif
