/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_watch.h - is told by the kernel of changes to what was stamped.
 *
 * To look at each stamped path again (setup_stamps.h) costs a system call for
 * each. inotify(7) queues what happens to a watched file or directory before
 * the call that did it returns, and so is known of mounts: where nothing is
 * queued, nothing has happened. What is queued only says that all is to be
 * looked at again. What another machine may change unseen is not watched, nor
 * what this user may not read. */
#ifndef SANDBOX_SETUP_WATCH_H
#define SANDBOX_SETUP_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"

struct setup_watch;

/* Takes one of the instances of inotify that a user has. */
struct setup_watch *setup_watch_new(struct err *e);
void setup_watch_free(struct setup_watch *w); /* accepts NULL */
DEFINE_CLEANUP(struct setup_watch, setup_watch_free)

/* Watches the file or directory that the path names: that it stays there, its
 * mode, its owner and its last change; names: also what is added to the
 * directory, removed or renamed. It must be the one with this st_dev and
 * st_ino. False: it is to be looked at as before. */
bool setup_watch_add(struct setup_watch *w, const char *path,
                     const struct stat *is, bool names);

/* A number above 0 that is the same as long as nothing has happened. */
uint64_t setup_watch_count(struct setup_watch *w);

/* Whether all is still watched: not what was removed, or was unmounted. */
bool setup_watch_is_whole(const struct setup_watch *w);

#endif
