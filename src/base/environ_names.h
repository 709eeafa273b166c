/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ_names.h - which environment variables a command receives. */
#ifndef BASE_ENVIRON_NAMES_H
#define BASE_ENVIRON_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a confined command receives the variable, a name of n bytes: the user
 * and home, the terminal and the language, and what builds need. */
bool environ_names_is_plain(const char *name, size_t n);

/* Whether it names a proxy: for commands that may use the network. */
bool environ_names_is_proxy(const char *name, size_t n);

/* Whether it makes bash run or print something other than the command that was
 * shown. */
bool environ_names_steers_shell(const char *name, size_t n);

/* A variable that names a cache directory. */
struct environ_cache {
    const char *name;
    const char *below_home; /* the usual place */
    const char *instead;    /* where the home directory is read-only */
};
const struct environ_cache *
environ_names_caches(void); /* name NULL at the end */

#endif
