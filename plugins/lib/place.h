/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - where a path leads, held so that it cannot be led elsewhere.
 *
 * A request says beneath which roots its paths may lie. A path is resolved
 * once, links and all, into a name without links; the directory that holds it
 * is then opened beneath its root name by name, and no link. What follows works
 * on that descriptor and the last part of the name alone, so that somebody who
 * changes the path meanwhile is refused, not followed. */
#ifndef PLUGINS_LIB_PLACE_H
#define PLUGINS_LIB_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "plugins/lib/request.h"

#define PLACE_SHOWN_SIZE 100 /* two of them fit into struct err */

struct place {
    int dir;          /* O_PATH: the directory that holds it */
    char *real;       /* absolute, without links */
    const char *name; /* the last part of real; "." for a root itself */
    bool root;        /* it is one of the roots */
    char shown[PLACE_SHOWN_SIZE]; /* the path as it was given, for messages */
};

/* A link in the last part: PLACE_TARGET is what it leads to, which need not
 * be there yet, PLACE_ITSELF is the link. */
enum place_last { PLACE_TARGET, PLACE_ITSELF };

/* Finds the place of a path, relative ones from the working directory. The
 * roots are the request's; without any all may be read, and the working
 * directory written. ERR_NOT_FOUND: the directory that would hold it is not
 * there. ERR_PERMISSION: it lies beneath no root. */
int place_to_read(const struct request *r, const char *path, struct place *out,
                  struct err *e);
int place_to_write(const struct request *r, const char *path,
                   enum place_last last, struct place *out, struct err *e);
void place_done(struct place *p); /* accepts NULL, and one that is all zero */

/* lstat(2) of it. */
int place_stat(const struct place *p, struct stat *st, struct err *e);

/* Opens the directory at it; or the regular file, whatever stands there
 * making nobody wait: a directory, a device, a FIFO or a socket is ERR_IO and
 * is not opened; a file that the sandbox hides is ERR_PERMISSION. A descriptor,
 * or -1. */
int place_open_dir(const struct place *p, struct err *e);
int place_open_file(const struct place *p, struct stat *st, struct err *e);

/* 0 for a regular file, else ERR_IO and what it is instead. */
int place_check_file(const struct place *p, const struct stat *st,
                     struct err *e);

/* "directory", "symlink", …: what a mode says. */
const char *place_kind(mode_t mode);

/* The end of a long path, into text. Returns text. */
const char *place_show(const char *path, char text[PLACE_SHOWN_SIZE]);

/* The name without links of what a path leads to; the caller frees it. Only
 * the last part may be missing. */
char *place_real(const char *path, enum place_last last, struct err *e);

#endif
