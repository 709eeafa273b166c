/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workcopy.h - a copy of a directory that a run works in, and what it was.
 *
 * Where the kernel makes no copy-on-write view, all of a directory is copied
 * (bytes are shared where the filesystem can do that), and a list is written
 * of what the copy held before the run. By that list a file that the run did
 * not touch is known without being read: the kernel sets a file's ctime at
 * every change, and nobody else can.
 *
 * The copy is our own: it keeps bytes, links and hard links, permission bits,
 * times, user attributes and access lists, and no owner. Where a file belongs
 * to somebody else, its owner's bits are what we may do with it. Left out are
 * what we may not read, FIFOs, sockets and devices. */
#ifndef SANDBOX_WORKCOPY_H
#define SANDBOX_WORKCOPY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"

#define WORKCOPY_FILES_MAX 50000        /* a second or two, and 10 MB of list */
#define WORKCOPY_BYTES_MAX (1ull << 30) /* that are not shared: as long */

struct workcopy_spec {
    int from, to;       /* directories; `to` is empty */
    uint64_t bytes_max; /* that may be written, at most WORKCOPY_BYTES_MAX */
    /* Asked before each entry; false ends it (ERR_INTERRUPTED). NULL: yes. */
    bool (*goes_on)(void *arg);
    void *arg;
};

/* Copies, and writes the list to the file `list`. *left_out: how many entries
 * are not in the copy, each with all below it. ERR_SANDBOX: it is too large,
 * and by what bound. */
int workcopy_make(const struct workcopy_spec *s, int list, size_t *left_out,
                  struct err *e);

/* An entry of the copy as it was made. */
struct workcopy_entry {
    const char *path; /* below the directory; "." is itself */
    ino_t ino;
    struct timespec changed; /* its ctime */
    mode_t mode;
    uid_t uid;
    gid_t gid;
};

struct workcopy {
    struct workcopy_entry *v; /* in the order of changes_compare_paths */
    size_t n;
    char *text; /* that the paths are in */
};

/* Reads a list; ERR_PARSE: it is none. */
struct workcopy *workcopy_read(int list, struct err *e);
void workcopy_free(struct workcopy *w); /* accepts NULL */
DEFINE_CLEANUP(struct workcopy, workcopy_free)

/* The entry of a path; NULL: it was not copied. */
const struct workcopy_entry *workcopy_find(const struct workcopy *w,
                                           const char *path);

/* Whether what is in the copy now is what was made, untouched. */
bool workcopy_is_untouched(const struct workcopy_entry *x,
                           const struct stat *now);

/* Turns what stat says of an entry of the copy into what it would be in the
 * directory itself: mode and owner are the original's (st_mode 0: there is
 * none) where the run left alone what the copy had; and what root made belongs
 * to `top`'s owner. x NULL: it was not copied. */
void workcopy_translate(const struct workcopy_entry *x,
                        const struct stat *original, const struct stat *top,
                        struct stat *now);

#endif
