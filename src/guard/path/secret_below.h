/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_below.h - secrets in a directory outside that a line reads whole.
 *
 * What runs without a question sees most of a home directory and of the
 * system. In a workspace the walls close each file with a secret's name
 * (secret_tree.h); elsewhere that would cost a walk through all of $HOME for
 * every step. So here only the directories are walked that the line itself
 * reads with what is in them, as `grep -r KEY ~/other` does. */
#ifndef GUARD_PATH_SECRET_BELOW_H
#define GUARD_PATH_SECRET_BELOW_H

#include <limits.h>

#include "base/err.h"
#include "guard/risk/risk.h"

/* The path of one such file in `found`, "" when there is none. workspace is
 * absolute and clean, or NULL: nothing is closed by name. Not counted: what
 * the walls close in every home directory, and what the person named.
 * ERR_DENIED: such a directory is too large to say. */
int secret_below_find(const struct risk *r, const struct risk_place *where,
                      const char *workspace, char found[PATH_MAX],
                      struct err *e);

#endif
