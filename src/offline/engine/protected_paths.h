/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protected_paths.h - finds commands that would delete what nobody means to
 * lose. */
#ifndef OFFLINE_ENGINE_PROTECTED_PATHS_H
#define OFFLINE_ENGINE_PROTECTED_PATHS_H

#include "base/buf.h"

/* Whether commands, one per line, would delete or change all of /, a home
 * directory, a directory of the system, or the working directory; appends
 * which. Commands that cannot be parsed would not. Only the text is read, not
 * the file system: effects_find() of guard/effects judges paths that exist. */
bool protected_paths_hit(const char *commands, struct buf *which);

#endif
