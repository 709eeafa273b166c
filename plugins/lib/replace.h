/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replace.h - new bytes for a file, all of them or none.
 *
 * A temporary file in the same directory is written, synced and renamed: who
 * reads sees the old bytes or the new ones, and so does everybody after a
 * crash or a full disk. Never is anything written through a name that leads
 * elsewhere: of a file with several names (hard links) only this one gets the
 * new bytes, for the others may lie outside of what may be written. */
#ifndef PLUGINS_LIB_REPLACE_H
#define PLUGINS_LIB_REPLACE_H

#include "plugins/lib/place.h"

#define REPLACE_KEEP_MODE (-1)

struct replace_want {
    const char *bytes;
    size_t n;
    int mode;    /* permission bits; REPLACE_KEEP_MODE: the old file's, or 0644
                    less the umask */
    bool backup; /* keep the old file beside it */
    bool exclusive;          /* only where nothing has the name yet */
    const struct stat *seen; /* NULL, or: only if the file is still as this */
};

struct replaced {
    bool created;      /* there was no such file */
    char *backup_path; /* NULL: none was made */
    int64_t others;    /* further names of the file, which keep the old bytes */
};

/* Where something has the name and `exclusive` is set, and where it appears
 * meanwhile, ERR_IO with EEXIST in e->sys. ERR_PERMISSION where the file itself
 * must not be written, be its directory writable or not. ERR_UNSUPPORTED: the
 * file system cannot give a name only once. out needs replaced_done when 0. */
int replace_file(const struct place *p, const struct replace_want *want,
                 struct replaced *out, struct err *e);
void replaced_done(struct replaced *r);

/* After a name in p's directory has changed: makes that last. */
int replace_sync(const struct place *p, struct err *e);

#endif
