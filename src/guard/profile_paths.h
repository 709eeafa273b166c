/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_paths.h - which paths a profile hides, and which it never gives. */
#ifndef GUARD_PROFILE_PATHS_H
#define GUARD_PROFILE_PATHS_H

#include <stdbool.h>

/* What a path is to the profiles; each absolute and clean, home may be NULL. */

/* workspace-write shows an empty or another directory there: $HOME, /run,
 * /proc. /var/log is whole there, but is looked at as the machine is. */
bool profile_path_is_hidden(const char *path, const char *home);

/* Something below it is hidden: what counts or searches there would miss it.
 * Of / itself and of what holds $HOME. */
bool profile_path_holds_hidden(const char *path, const char *home);

/* Every confined profile hides it: ~/.ssh, keys, tokens. */
bool profile_path_is_key(const char *path, const char *home);

/* In a profile with a /tmp of its own it is another file. */
bool profile_path_is_temporary(const char *path);

/* Writing there keeps nothing: /dev/null, /dev/tty, /dev/stderr, … */
bool profile_path_is_sink(const char *path);

/* In the workspace, and read-only all the same, for what is written there is
 * run or believed later: .git/hooks, .git/config, .agentsh. */
bool profile_path_runs_later(const char *path);

/* A directory that is not made writable because a command line writes there:
 * /, what lies right below it, $HOME, what is above it, what lies below $HOME
 * in a directory whose name begins with a dot, and the system's own. */
bool profile_path_is_protected(const char *dir, const char *home);

#endif
