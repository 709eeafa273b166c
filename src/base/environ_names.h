/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ_names.h - which variables reach a command. */
#ifndef BASE_ENVIRON_NAMES_H
#define BASE_ENVIRON_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a confined command gets it, n bytes: what says who and where the
 * person is, how the terminal and the language are, and what builds need. */
bool environ_is_plain(const char *name, size_t n);

/* Whether it is about reaching the network: for commands that may. */
bool environ_is_proxy(const char *name, size_t n);

/* Whether bash would run or print something else because of it than the
 * command that was shown. */
bool environ_steers_shell(const char *name, size_t n);

/* A directory for what can be made again, and its usual place. */
struct environ_cache {
    const char *name;
    const char *below_home;
    const char *instead; /* where the home directory is not to be written */
};
const struct environ_cache *environ_caches(void); /* name NULL at the end */

#endif
