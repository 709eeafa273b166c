/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denied_path.h - which path a program says that it was denied.
 *
 * Programs name the path and the error in one line of standard error, each in
 * an order of its own:
 *
 *     touch: cannot touch 'x/y': Read-only file system
 *     PermissionError: [Errno 13] Permission denied: '/home/u/x'
 *     open /home/u/x: read-only file system
 *
 * It is a hint and no more: a program may say what it likes. */
#ifndef GUARD_DENIED_PATH_H
#define GUARD_DENIED_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum denied_how {
    DENIED_WRITE,   /* it is on a read-only file system */
    DENIED_ACCESS,  /* it may not be used so, whichever way that is */
    DENIED_MISSING, /* it does not exist */
};

struct denied_path {
    enum denied_how how;
    char text[PATH_MAX]; /* as the program wrote it, perhaps relative */
};

/* The last such line of the n bytes of text, then the one before it, and so
 * on, while `at` is kept: 0 at first. False: there are no more. */
bool denied_path_next(const char *text, size_t n, size_t *at,
                      struct denied_path *out);

#endif
