/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manpath.h - finds the file of a command's manual page. */
#ifndef OFFLINE_MANUAL_MANPATH_H
#define OFFLINE_MANUAL_MANPATH_H

#include <stddef.h>

#include "base/seat.h"

#define MANPATH_SECTION_SIZE 16

struct manpath_hit {
    char *path;  /* of the file, gzip'ed or not; the caller frees it */
    size_t root; /* bytes of path that are the tree, "/usr/share/man" */
    char section[MANPATH_SECTION_SIZE]; /* "1", "8", "1p" */
};

/* Searches the seat's $MANPATH (an empty element stands for the default trees),
 * or else the default trees: /usr/local/share/man, /usr/local/man,
 * /usr/share/man and the trees beside the directories of $PATH. Only English
 * pages in the sections for commands are found. Starts no process. Returns -1
 * when there is no page, or no memory. */
int manpath_find(const struct seat *s, const char *name,
                 struct manpath_hit *out);

/* The path of the file that ".so man1/x.1" names in the tree path[0..root); the
 * caller frees it. NULL when there is no such file, when the target has .. or
 * is absolute, or without memory. */
char *manpath_follow(const char *path, size_t root, const char *target);

#endif
