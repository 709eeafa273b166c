/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_write.h - replaces the contents of a file at once. */
#ifndef SERVER_GUEST_GUEST_WRITE_H
#define SERVER_GUEST_GUEST_WRITE_H

#include "server/guest/guest_path.h"

/* Writes a new file and renames it over the old one, so that readers see the
 * old contents or the new ones; mode and owner stay, and a link is followed.
 * Directories that are missing are made. What is no regular file, or is one
 * whose directory takes no new file, is written in place. */
int guest_write_file(const struct guest_shared *sh, const char *path, size_t n,
                     const char *bytes, size_t size, struct err *e);

#endif
