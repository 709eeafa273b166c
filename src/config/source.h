/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - reading a file that configures us, when it may. */
#ifndef CONFIG_SOURCE_H
#define CONFIG_SOURCE_H

#include <stdbool.h>

#include "base/buf.h"

/* Whom a file must belong to: this user or root, or root alone. Nobody else may
 * write it, or put another in its place (owner.h). */
enum source_owner { SOURCE_ANYONE, SOURCE_ROOT };

/* Appends the file's bytes, at most out->max; *there, whether there is one:
 * none is no mistake. Whatever is wrong with it is ERR_CONFIG, and it is not
 * passed over: that would drop what somebody wrote. */
int source_read(const char *path, enum source_owner owner, struct buf *out,
                bool *there, struct err *e);

#endif
