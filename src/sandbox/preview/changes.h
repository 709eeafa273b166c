/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.h - what a run in a copy-on-write view made, changed and deleted.
 *
 * Read from the view's upper directory against the directory below it, when
 * the run is over. Upper may also be a copy of all of it (workcopy.h): then
 * what is not there any more was deleted, and what is as it was made is no
 * change. What overlayfs leaves in upper: a file that was written is
 * there whole; a 0:0 character device is a deletion; a directory with
 * user.overlay.opaque "y" hides everything of the one below; user.overlay.
 * origin marks what was copied up (Documentation/filesystems/overlayfs.rst).
 *
 * "Meanwhile" is what somebody else did to an original since the run began.
 * The kernel sets a file's ctime at every change of it, of its attributes and
 * at its renaming, and nobody else can: an original with a ctime of `since`
 * or later was changed meanwhile, also when that was before the run wrote to
 * it. So nothing has to be noted of files that no run may ever touch. As
 * precisely as that, for originals that are files and links:
 *   seen     written, truncated, replaced, renamed, linked, chmod, chown,
 *            created where the run created or deleted, below a directory
 *            that the run deleted too; removed (not below such a directory)
 *   not seen files that the run only read; a directory's own mode; an empty
 *            directory made inside one that the run deleted; a directory put
 *            in the place of another with older files in it; what a
 *            filesystem whose clock is another machine's dates earlier; what
 *            follows when somebody sets the clock back */
#ifndef SANDBOX_CHANGES_H
#define SANDBOX_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "base/err.h"

#define CHANGES_MAX 100000 /* entries; more are an error: 40 MB of memory */

enum change_kind {
    CHANGE_ADDED,
    CHANGE_CHANGED,    /* other bytes, another target or another type */
    CHANGE_ATTRIBUTES, /* mode, owner or time only */
    CHANGE_DELETED,
};

/* Why an entry is left out when the rest is kept. */
enum change_bar {
    CHANGE_FREE,
    CHANGE_PROTECTED, /* what git believes, .agentsh: at any depth */
    CHANGE_SPECIAL,   /* a FIFO, a socket, a device */
    CHANGE_TO_COPY,   /* a link into the copy, which will be gone */
};

#define CHANGE_NO_PAIR SIZE_MAX

struct change {
    char *path;                /* below the directory; "." is itself */
    struct stat before, after; /* st_mode 0: there is nothing */
    char *target;              /* of a link afterwards, else NULL */
    enum change_kind kind;
    enum change_bar bar;
    bool leaves;           /* the link leads out of the directory */
    bool copied;           /* it was copied up, so there was an original */
    bool meanwhile;        /* the original was changed since the run began */
    uint64_t files, bytes; /* what a deletion or a file in the place of a
                              directory takes along: below it, itself too */
    size_t pair; /* of what was renamed: the index of its other half. For
                    people; it is an addition and a deletion all the same */
};

struct changes {
    struct change *v; /* sorted: a directory before what is in it */
    size_t n, room;
    size_t barred, meanwhile; /* how many */
    uint64_t write_bytes;     /* to be written when all is kept */
};

/* The moment from which on changes are somebody else's: before the run, and
 * the run begins when this returns. Files are dated by a clock that stands
 * still between two ticks of the kernel, so this waits until that has reached
 * the moment: 4 ms at most with 250 ticks a second. */
int changes_begin(struct timespec *since, struct err *e);

struct workcopy;

/* Descriptors of the two directories stay the caller's. `place` is the
 * absolute path of the lower one, to tell where links lead. */
struct changes_spec {
    int upper, lower;
    const char *place;
    struct timespec since; /* of changes_begin */
    /* upper is a copy that was this; NULL: it is overlayfs's. Borrowed. */
    const struct workcopy *copied;
    const char *dir; /* the absolute path of what holds such a copy, and will
                        be gone; borrowed; NULL: no link leads there */
    /* The copy is in memory (tmpfs), where a mapping is written to without a
     * new ctime: every file of it is read. Where somebody else has changed its
     * original, it counts as changed, and meanwhile. */
    bool memory;
};

/* Reads them; changes nothing, except that what the run left unreadable in
 * upper is made readable (its mode is noted beside it, and is what the list
 * says). ERR_NOMEM past CHANGES_MAX. out needs changes_done when 0. */
int changes_read(const struct changes_spec *spec, struct changes *out,
                 struct err *e);
void changes_done(struct changes *c); /* accepts NULL */

/* The entry of a path, NULL when it did not change. */
const struct change *changes_find(const struct changes *c, const char *path);

/* Whether a link at path (below place) leads out of place, as it is written:
 * nothing is looked up. */
bool changes_link_leaves(const char *path, const char *target,
                         const char *place);

/* CHANGE_PROTECTED where no run may write, else CHANGE_FREE. */
enum change_bar changes_bar_of(const char *path);

#endif
