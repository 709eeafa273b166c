/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h - values made from a schema: one that it takes, some that it
 * refuses. */
#ifndef TOOL_TRIAL_SAMPLE_H
#define TOOL_TRIAL_SAMPLE_H

#include "base/buf.h"
#include "tool/manifest.h"

/* The arguments of an action as JSON text: its schema's first example, else
 * what it requires, as small as may be; an argument that names a path is
 * `path`, where that will do. ERR_INVALID: none was found that the schema
 * takes (a pattern, say): an example would help. */
int sample_args(const struct manifest_action *a, const char *path,
                struct buf *out, struct err *e);

/* These arguments with one of them other than it was: `value` is JSON text;
 * NULL: it is left out. */
int sample_change(const char *args, const char *name, const char *value,
                  struct buf *out, struct err *e);

/* Whether the action's schema takes them. */
bool sample_fits(const struct manifest_action *a, const char *args,
                 struct err *e);

#endif
