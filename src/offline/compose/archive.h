/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h - what names say of archives. */
#ifndef OFFLINE_ARCHIVE_H
#define OFFLINE_ARCHIVE_H

#include <stdbool.h>

/* Whether the name is that of an archive or a compressed file: "x.tar.gz". */
bool archive_is_name(const char *text);

#endif
