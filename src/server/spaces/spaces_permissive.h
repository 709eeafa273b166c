/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_permissive.h - what the preset permissive means for operations.
 *
 * It asks about what is known to destroy, about other rights, secrets, and
 * files that run by their name. The guard asks about what it cannot tell as
 * well; that runs here without a question, since the sandbox keeps it in the
 * workspace, which is the same for all. */
#ifndef SERVER_SPACES_SPACES_PERMISSIVE_H
#define SERVER_SPACES_SPACES_PERMISSIVE_H

#include "server/spaces/spaces_shared.h"

/* Whether the rules in force are those of the preset and no file's. */
bool spaces_is_permissive(const struct spaces_shared *sh);

/* Whether the preset waives the question about a command that starts in a
 * directory (NULL: the workspace). */
bool spaces_permissive_waives(const struct spaces_shared *sh,
                              const struct permit *p, const char *directory);

#endif
