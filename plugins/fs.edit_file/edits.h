/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edits.h - pieces of a text replaced by others, one after another.
 *
 * Text is literal: no pattern, no special byte. Each edit works on what the
 * one before has made. */
#ifndef PLUGINS_FS_EDIT_FILE_EDITS_H
#define PLUGINS_FS_EDIT_FILE_EDITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "json/json.h"

#define EDITS_MAX       100         /* in one request */
#define EDITS_BYTES_MAX (16u << 20) /* of the file, before and after */

/* Applies a JSON array of {"find", "replace", "all"?} to text, which is half
 * done after a failure. *made: how many places were changed. The error tells
 * which edit, counted from 1: ERR_NOT_FOUND when its text is not there,
 * ERR_INVALID when it is there more than once and "all" is not said, or when
 * the array is not as it must be. */
int edits_apply(const struct json *edits, struct buf *text, int64_t *made,
                struct err *e);

#endif
