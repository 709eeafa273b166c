/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - the first names of a directory, however many it has.
 *
 * Holds at most twice as many as are wanted. */
#ifndef PLUGINS_FS_LIST_DIR_NAMES_H
#define PLUGINS_FS_LIST_DIR_NAMES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct names {
    char **v; /* sorted by their bytes */
    size_t n, room;
    int64_t total; /* that there are */
};

/* The first `max` names in the order of their bytes, without "." and "..";
 * those with a dot in front only when `hidden`. ERR_TIMEOUT when clock_ms()
 * passes until_ms (-1: no limit). Needs names_done in any case. */
int names_read(DIR *dir, size_t max, bool hidden, int64_t until_ms,
               struct names *out, struct err *e);
void names_done(struct names *names);

#endif
