/* SPDX-License-Identifier: GPL-3.0-or-later */
/* present.h - which of many places below a directory are there.
 *
 * Most are not, and a system call for each is what most of them would cost:
 * the directory is listed instead, and one below it at a time. */
#ifndef SANDBOX_PRESENT_H
#define SANDBOX_PRESENT_H

#include <stdbool.h>

#include "base/buf.h"

#define PRESENT_NAMES_MAX                                                      \
    (1u << 20) /* of a directory; a bigger one is not                          \
                  listed but asked about each place */

struct present {
    const char *dir; /* absolute, borrowed */
    struct buf names, inner;
    const char *inner_of; /* the place whose first part `inner` lists */
    bool listed, inner_listed;
};

void present_init(struct present *p, const char *dir);
void present_done(struct present *p);

/* Whether dir/place is there; a link counts, wherever it leads. place: without
 * a slash in front, valid as long as p is; those of one directory should come
 * one after another. */
bool present_has(struct present *p, const char *place);

#endif
