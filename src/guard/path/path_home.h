/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_home.h - the one table of what the paths below a home directory are.
 *
 * Below a home directory, every name that begins with a dot is secret unless
 * the table says that it is visible (secret.h). Some of the secrets are known
 * places of keys, which count wherever a path has their name. Programs run
 * some paths by themselves (path_autorun.h). */
#ifndef GUARD_PATH_PATH_HOME_H
#define GUARD_PATH_PATH_HOME_H

#include <stddef.h>

/* A row's kinds hold for its path and for everything below it. */
#define PATH_HOME_SECRET  (1u << 0) /* keys, passwords or sessions */
#define PATH_HOME_VISIBLE (1u << 1) /* settings without keys, or programs */
#define PATH_HOME_AUTORUN (1u << 2) /* a login, PATH or a tool runs it */

/* Iterates over the rows that have one of these kinds, in the order of their
 * bytes; *at begins at 0. The path is relative to the home directory. NULL: the
 * end. */
const char *path_home_next(unsigned kinds, size_t *at);

#endif
