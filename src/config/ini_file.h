/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ini_file.h - parses the text of an INI file, strictly.
 *
 * Lines are [section], name = value, empty, or comments that begin with # or ;.
 * A value extends to the end of its line. What is something else, no UTF-8, too
 * long or has a control character is ERR_CONFIG with the file and the line. */
#ifndef CONFIG_INI_FILE_H
#define CONFIG_INI_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define INI_SECTION_MAX 47 /* bytes of a section's name */

/* Each returns 0, or -1 with e, which ends the parsing; file and line are put
 * in front of what e says. */
struct ini_events {
    int (*section)(void *arg, const char *name, struct err *e);
    int (*value)(void *arg, const char *section, const char *name,
                 const char *value, unsigned line, struct err *e);
};

/* n bytes of text; path is for messages. */
int ini_file_parse(const char *path, const char *text, size_t n,
                   const struct ini_events *ev, void *arg, struct err *e);

#endif
