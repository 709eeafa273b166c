/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.h - what an edit changed, as a unified diff. */
#ifndef PLUGINS_FS_EDIT_FILE_CHANGE_H
#define PLUGINS_FS_EDIT_FILE_CHANGE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends it, at whole lines as far as out's maximum goes; nothing where the
 * texts are no text, or have too many lines. Returns whether that is all. */
bool change_show(const char *path, const struct buf *old, const struct buf *new,
                 struct buf *out);

#endif
