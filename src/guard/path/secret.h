/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.h - files that hold keys, and files that others will run. */
#ifndef GUARD_PATH_SECRET_H
#define GUARD_PATH_SECRET_H

#include <stdbool.h>

/* Where programs keep keys, passwords and sessions: files and directories below
 * $HOME ("./" is not in front). NULL at the end. */
const char *const *secret_places(void);
/* The same for the whole machine: absolute paths. */
const char *const *secret_system_places(void);

/* Whether a path names keys, passwords or raw memory: *.pem, .env*, id_*,
 * anything in .ssh or another of the places above, … Only its spelling is
 * looked at. */
bool secret_is_path(const char *path);

/* Of these the files that no tool touches, by name or by place: *.pem, *.key,
 * .env*, id_*, anything in .ssh, .gnupg, .aws or another of the places. The
 * rest (shadow, credentials) the system and the sandbox keep. */
bool secret_is_key(const char *path);

/* Whether every confined profile hides it: a place of secrets or a file with
 * such a name, below home, which may be NULL. Absolute and clean. */
bool secret_is_key_of(const char *path, const char *home);

/* Whether some program may run what is written there, or take it for its
 * settings: what begins with a dot, or lies in such a directory (.bashrc,
 * .git/hooks/, .vim/plugin/, …), and authorized_keys. */
bool secret_runs_later(const char *path);

#endif
