/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manpath.h - where a command's manual page lies. */
#ifndef OFFLINE_MANPATH_H
#define OFFLINE_MANPATH_H

#include <stddef.h>

#define MANPATH_SECTION_SIZE 16

struct manpath_hit {
    char *path;  /* of the file, packed or not; the caller frees it */
    size_t root; /* how many bytes of path are the tree, "/usr/share/man" */
    char section[MANPATH_SECTION_SIZE]; /* "1", "8", "1p" */
};

/* Looks in $MANPATH (an empty part of it stands for the usual places), beside
 * the directories of $PATH, and in /usr/local/share/man and /usr/share/man,
 * in the sections for commands, English only. 0, or -1 when there is no page
 * (or no memory); starts no process. */
int manpath_find(const char *name, struct manpath_hit *out);

/* The file that ".so man1/x.1" names in the tree path[0..root): the caller
 * frees it, NULL when there is none or it would leave the tree. */
char *manpath_follow(const char *path, size_t root, const char *target);

#endif
