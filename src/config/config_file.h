/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_file.h - reads a configuration file that only its owner may write. */
#ifndef CONFIG_CONFIG_FILE_H
#define CONFIG_CONFIG_FILE_H

#include <stdbool.h>

#include "base/buf.h"

#define CONFIG_FILE_MAX (64 * 1024) /* bytes; a file has some hundred */

/* The owner that a file must have: this user or root, or root alone. Nobody
 * else may write or replace it (owner.h). */
enum config_file_owner { CONFIG_FILE_ANYONE, CONFIG_FILE_ROOT };

/* Appends the file's bytes, at most out->max. *there tells whether the file
 * exists; that it does not is no error. Anything else is ERR_CONFIG: a file is
 * not ignored, since that would drop what somebody wrote. */
int config_file_read(const char *path, enum config_file_owner owner,
                     struct buf *out, bool *there, struct err *e);

#endif
