/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apply_in.h - the parts of apply.c that have files of their own. */
#ifndef SANDBOX_APPLY_IN_H
#define SANDBOX_APPLY_IN_H

#include "sandbox/preview/apply.h"

/* The bits that a file or directory gets: none of setuid and setgid that the
 * original did not have. */
mode_t apply_mode(const struct change *c);

/* Fills a new file from one of upper: bytes, mode, owner, time, attributes. */
int apply_copy(int from, int to, const struct change *c, bool sync,
               struct err *e);

/* Shares the bytes of a file with an empty one, where both lie on a filesystem
 * that can do that; false: nothing was done. */
bool apply_clone(int from, int to);

/* Its bytes, without its holes, and nothing else of it. `ask` hears of each
 * slice of a few MiB before it is written, and ends it by -1; NULL: none. */
typedef int apply_slice_cb(void *arg, size_t bytes, struct err *e);
int apply_copy_bytes(int from, int to, off_t size, apply_slice_cb *ask,
                     void *arg, struct err *e);

/* User attributes; with `lists`, access lists as well. */
int apply_copy_xattrs(int from, int to, bool lists, struct err *e);

/* All of these, and those that a directory hands down. 1: there are more than
 * can be copied; -1: `to` cannot hold them. */
int apply_copy_all_xattrs(int from, int to, struct err *e);

/* The same for a file that is its maker's own as any new one: with bytes, mode,
 * time and user attributes, and no owner and no access list from upper. */
int apply_copy_own(int from, int to, const struct change *c, struct err *e);

/* Mode, owner and time of what is in place. */
int apply_attributes(int place, const struct change *c, struct err *e);

#endif
