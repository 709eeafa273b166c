/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.h - files that hold keys, and files that others will run. */
#ifndef GUARD_SECRET_H
#define GUARD_SECRET_H

#include <stdbool.h>

/* Whether a path names keys, passwords or raw memory: *.pem, .env*, id_*,
 * anything in .ssh, … Only its spelling is looked at. */
bool secret_is_path(const char *path);

/* Whether a shell, git or the session would run what is written there:
 * .bashrc, .git/hooks/, .config/, … */
bool secret_runs_later(const char *path);

#endif
