/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_sudo.h - finds the sudo of this machine. */
#ifndef GUARD_PATH_SYSTEM_SUDO_H
#define GUARD_PATH_SYSTEM_SUDO_H

#include <stdbool.h>

/* The path of the sudo that a shell with this PATH runs, whatever its working
 * directory; the caller frees it. NULL: there is none, or it is not root's own:
 * the file is set-user-ID root, and nobody but root can put another one in its
 * place or before it. */
char *system_sudo_find(const char *path);

/* The same of a file that is named by its path. */
bool system_sudo_is(const char *file);

#endif
