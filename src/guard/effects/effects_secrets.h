/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_secrets.h - finds secrets in the directories that a line reads.
 *
 * A step that runs without a question can read most of a home directory and of
 * the system. In the workspace the sandbox hides each file with a secret's
 * name; doing so everywhere would cost a scan of all of $HOME for every step.
 * So only those directories are scanned that the line reads with all their
 * contents, as `grep -r KEY ~/other` does. */
#ifndef GUARD_EFFECTS_EFFECTS_SECRETS_H
#define GUARD_EFFECTS_EFFECTS_SECRETS_H

#include <limits.h>

#include "base/err.h"
#include "guard/risk/risk.h"

/* Writes the path of the first such file to `found`; "": there is none.
 * workspace is absolute and clean; NULL: no file is hidden by its name. Files
 * that the sandbox hides in every home directory and files that the person
 * named do not count. ERR_DENIED: such a directory is too large to be
 * scanned. */
int effects_secrets_find(const struct risk *r, const struct path_context *where,
                         const char *workspace, char found[PATH_MAX],
                         struct err *e);

#endif
