/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_paths.h - inside plain.c: files a plain call may read and write. */
#ifndef GUARD_PLAIN_PATHS_H
#define GUARD_PLAIN_PATHS_H

#include "guard/plain.h"

/* Sets out->reason and returns false: `return plain_ask(out, …);` */
bool plain_ask(struct guard_finding *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Reading: not a secret, not a device, links followed. What does not exist
 * may be read: the program will say so. */
bool plain_may_read(const char *path, const char *cwd,
                    struct guard_finding *out);

/* Whether it is a directory now, links followed. */
bool plain_is_directory(const char *path, const char *cwd);

/* Writing: a new file, or with `append` also a regular one, below cwd with
 * every link resolved; /dev/null always. */
bool plain_may_write(const char *path, const char *cwd, bool append,
                     struct guard_finding *out);

#endif
