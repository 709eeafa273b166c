/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.h - lists what a command created, changed and deleted in a
 * copy-on-write view.
 *
 * The list is made when the command has ended, by comparing the view's upper
 * directory with the directory below it. Upper may also be a copy of the whole
 * directory (workcopy.h): then what is missing was deleted, and what is as it
 * was made is no change. In an upper directory of overlayfs a file that was
 * written is there as a whole; a 0:0 character device is a deletion; a
 * directory with user.overlay.opaque "y" hides all entries of the one below;
 * user.overlay.origin marks what was copied up
 * (Documentation/filesystems/overlayfs.rst).
 *
 * "Meanwhile" is what somebody else did to an original since the run began. The
 * kernel sets a file's ctime at every change of its bytes or attributes and
 * when it is renamed, and no program can set it back. So an original with a
 * ctime of `since` or later was changed meanwhile, also if that was before the
 * command wrote to it, and nothing has to be recorded of files that no command
 * touches. Exactly, for originals that are files and links: seen     written,
 * truncated, replaced, renamed, linked, chmod, chown; created where the run
 * created or deleted, or below a directory that the run deleted too; removed
 * (not below such a directory) not seen files that the run only read; a
 * directory's own mode; an empty directory made inside one that the run
 * deleted; a directory put in the place of another with older files in it; what
 * a filesystem whose clock is another machine's dates earlier; what follows
 * when somebody sets the clock back */
#ifndef SANDBOX_PREVIEW_CHANGES_H
#define SANDBOX_PREVIEW_CHANGES_H

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

/* Why an entry is left out when the others are kept. */
enum change_bar {
    CHANGE_FREE,
    CHANGE_PROTECTED, /* what git believes, .agentsh: at any depth */
    CHANGE_SPECIAL,   /* a FIFO, a socket, a device */
    CHANGE_TO_COPY,   /* a link into the copy, which will be gone */
};

#define CHANGE_NO_PAIR SIZE_MAX

struct change {
    char *path;                /* below the directory; "." is the directory */
    struct stat before, after; /* st_mode 0: it does not exist */
    char *target;              /* of a link, afterwards; else NULL */
    enum change_kind kind;
    enum change_bar bar;
    bool leaves;           /* the link leads out of the directory */
    bool copied;           /* it was copied up, so there was an original */
    bool meanwhile;        /* the original was changed since the run began */
    uint64_t files, bytes; /* what is lost by a deletion, or by a file in the
                              place of a directory: itself and all below */
    size_t pair; /* of a renamed file: the index of its other entry. For
                    people; it still is an addition and a deletion */
};

struct changes {
    struct change *v; /* sorted: a directory before what is in it */
    size_t n, room;
    size_t barred, meanwhile; /* how many */
    uint64_t write_bytes;     /* written if everything is kept */
};

/* Returns the moment from which on changes of an original are somebody else's;
 * the run begins when this returns. The kernel dates files by a clock that
 * advances only at its ticks, so this waits until that clock has reached the
 * moment: 4 ms at most with 250 ticks a second. */
int changes_begin(struct timespec *since, struct err *e);

struct workcopy;

/* The two directories; their descriptors stay the caller's. `place` is the
 * absolute path of the lower one, which tells where links lead. */
struct changes_spec {
    int upper, lower;
    const char *place;
    struct timespec since; /* of changes_begin */
    /* What upper was, if it is a copy; NULL: it is overlayfs's. Borrowed. */
    const struct workcopy *copied;
    const char *dir; /* the absolute path of the directory that holds such a
                        copy and will be removed; borrowed; NULL: no link
                        leads there */
    /* The copy is in memory (tmpfs), where writing to a mapping sets no new
     * ctime: every file of it is read. If somebody else has changed its
     * original, it counts as changed, and meanwhile. */
    bool memory;
};

/* Makes the list. Changes nothing, except that what the command left unreadable
 * in upper becomes readable; its mode is stored beside it, and is what the list
 * says. ERR_NOMEM beyond CHANGES_MAX. After 0 the caller calls changes_done. */
int changes_read(const struct changes_spec *spec, struct changes *out,
                 struct err *e);
void changes_done(struct changes *c); /* accepts NULL */

/* Returns the entry of a path; NULL: it did not change. */
const struct change *changes_find(const struct changes *c, const char *path);

/* Returns whether the target of a link at path (below place) leads out of
 * place. It is read as text; nothing is looked up. */
bool changes_link_leaves(const char *path, const char *target,
                         const char *place);

/* Returns CHANGE_PROTECTED for a path where no command may write, else
 * CHANGE_FREE. */
enum change_bar changes_bar_of(const char *path);

#endif
