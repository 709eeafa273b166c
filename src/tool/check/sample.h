/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h - makes arguments from a schema: valid ones, and invalid ones. */
#ifndef TOOL_CHECK_SAMPLE_H
#define TOOL_CHECK_SAMPLE_H

#include "base/buf.h"
#include "tool/manifest.h"

/* Appends arguments for an action as JSON text: the first example of its
 * schema, else the required members with the smallest values. An argument that
 * names a path is `path` where the schema allows it. ERR_INVALID: nothing was
 * found that the schema accepts (it has a pattern, say): an example helps. */
int sample_args(const struct manifest_action *a, const char *path,
                struct buf *out, struct err *e);

/* Appends the same arguments with another value, JSON text, for one of them;
 * NULL: without it. */
int sample_change(const char *args, const char *name, const char *value,
                  struct buf *out, struct err *e);

/* Whether the action's schema accepts them. */
bool sample_fits(const struct manifest_action *a, const char *args,
                 struct err *e);

#endif
