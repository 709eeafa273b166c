/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workcopy.h - copies a directory for a command to work in, and remembers what
 * it held.
 *
 * Where the kernel offers no copy-on-write view, the whole directory is copied
 * (bytes are shared where the filesystem can do that), and a list is written of
 * what the copy held before the command ran. By that list a file that the
 * command did not touch is recognized without being read: the kernel sets a
 * file's ctime at every change, and no program can set it back.
 *
 * A workspace is copied only if the copy is exact: bytes, links and hard links,
 * owner, group, mode, times, user attributes and access lists. If one entry
 * cannot be copied so (it cannot be read, belongs to another user, lies on
 * another filesystem, is a FIFO, a socket or a device, or keeps changing
 * meanwhile), the whole copy is refused with the name of that entry. So what is
 * not in the copy is not in the directory either. */
#ifndef SANDBOX_PREVIEW_WORKCOPY_H
#define SANDBOX_PREVIEW_WORKCOPY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"

#define WORKCOPY_FILES_MAX  50000 /* one or two seconds, a list of 10 MB */
#define WORKCOPY_BYTES_MAX  (1ull << 30)   /* not shared: as long */
#define WORKCOPY_MEMORY_MAX (256ull << 20) /* a copy in memory */
#define WORKCOPY_MS_MAX     (60 * 1000)    /* for everything, on a slow disk */

struct workcopy_spec {
    int from, to;        /* directories; `to` is ours and empty */
    const char *place;   /* the path of `to`, for messages */
    uint64_t room_bytes; /* bytes free there; half of them stay free */
    bool memory;         /* `to` is in memory */
    /* Called before each entry and every few MiB; false ends the copy
     * (ERR_INTERRUPTED). NULL: none. */
    bool (*goes_on)(void *arg);
    void *arg;
};

/* Copies, and writes the list to the file `list`, which is on the same
 * filesystem as `to`. From its return on, every change in the copy gets another
 * ctime than the list has. ERR_SANDBOX: the workspace cannot be copied, or
 * exceeds a bound, and what the person can do. ERR_INTERRUPTED, ERR_NOMEM. Any
 * other code: this place cannot hold the copy, but another may. After a failure
 * the caller removes what was copied. */
int workcopy_make(const struct workcopy_spec *s, int list, struct err *e);

#define WORKCOPY_LIST_MAX (64u << 20) /* bytes of the list */

/* An entry of the copy, as it was when it was made. */
struct workcopy_entry {
    const char *path; /* below the directory; "." is itself */
    ino_t ino;
    struct timespec changed; /* its ctime */
    mode_t mode;
    uid_t uid;
    gid_t gid;
    off_t size;
    struct timespec written; /* its mtime */
};

struct workcopy {
    struct workcopy_entry *v; /* in the order of changes_compare_paths */
    size_t n;
    char *text; /* holds the paths */
};

/* Reads a list. ERR_PARSE: it is no list, or not complete. */
struct workcopy *workcopy_read(int list, struct err *e);
void workcopy_free(struct workcopy *w); /* accepts NULL */
DEFINE_CLEANUP(struct workcopy, workcopy_free)

/* Returns the entry of a path; NULL: it was not copied. */
const struct workcopy_entry *workcopy_find(const struct workcopy *w,
                                           const char *path);

/* Returns whether a file of the copy is untouched since it was made. */
bool workcopy_is_untouched(const struct workcopy_entry *x,
                           const struct stat *now);

/* Sets mode and owner in `now`, of a directory of the copy, to those of its
 * original where the command left them alone, so that they do not count as
 * changes: somebody else may have changed the original's. st_mode 0 in
 * `original`: there is none. */
void workcopy_translate(const struct workcopy_entry *x,
                        const struct stat *original, struct stat *now);

#endif
