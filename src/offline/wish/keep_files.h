/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_files.h - what a command of ours leaves alone: files that nobody named,
 * and what git keeps. */
#ifndef OFFLINE_KEEP_FILES_H
#define OFFLINE_KEEP_FILES_H

#include "base/buf.h"
#include "base/err.h"
#include "offline/request/request.h"

/* Appends the command with another name for each file that it would write
 * over though the request does not name it ("archive.tar.gz" is there, so it
 * is "archive-2.tar.gz"), and with .git left out of what find deletes or
 * changes below a repository. *clear: false where that could not be done. */
int keep_files(const struct request *q, const char *command, struct buf *out,
               bool *clear, struct err *e);

#endif
