/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workcopy.h - a copy of a directory that a run works in, and what it was.
 *
 * Where the kernel makes no copy-on-write view, all of a directory is copied
 * (bytes are shared where the filesystem can do that), and a list is written
 * of what the copy held before the run. By that list a file that the run did
 * not touch is known without being read: the kernel sets a file's ctime at
 * every change, and nobody else can.
 *
 * A workspace is copied only when a copy can stand for it exactly: with bytes,
 * links and hard links, owner, group, mode, times, user attributes and access
 * lists. Where one entry cannot be copied so (it cannot be read, is another
 * user's, on another filesystem, a FIFO, a socket or a device, or is changed
 * again and again meanwhile), all of it is refused, by the name of the entry:
 * so what is not in the copy is not in the directory either. */
#ifndef SANDBOX_WORKCOPY_H
#define SANDBOX_WORKCOPY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"

#define WORKCOPY_FILES_MAX  50000        /* a second or two, a list of 10 MB */
#define WORKCOPY_BYTES_MAX  (1ull << 30) /* that are not shared: as long */
#define WORKCOPY_MEMORY_MAX (256ull << 20) /* where the copy is in memory */
#define WORKCOPY_MS_MAX     (60 * 1000)    /* for all of it on a slow disk */

struct workcopy_spec {
    int from, to;        /* directories; `to` is empty and ours */
    const char *place;   /* where `to` is, for people */
    uint64_t room_bytes; /* that are free there; half of them stay so */
    bool memory;         /* it is memory */
    /* Asked before each entry and every few MiB; false ends it
     * (ERR_INTERRUPTED). NULL: yes. */
    bool (*goes_on)(void *arg);
    void *arg;
};

/* Copies, and writes the list to the file `list`, which is on the same
 * filesystem as `to`. When it returns, whatever is changed in the copy gets
 * another ctime than the list has. ERR_SANDBOX: the workspace cannot be copied,
 * or passes a bound, and what to do; other codes but ERR_INTERRUPTED and
 * ERR_NOMEM: the place cannot hold it, and another may. What was copied until
 * then is left for the caller to remove. */
int workcopy_make(const struct workcopy_spec *s, int list, struct err *e);

/* An entry of the copy as it was made. */
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
    char *text; /* that the paths are in */
};

/* Reads a list; ERR_PARSE: it is none, or not whole. */
struct workcopy *workcopy_read(int list, struct err *e);
void workcopy_free(struct workcopy *w); /* accepts NULL */
DEFINE_CLEANUP(struct workcopy, workcopy_free)

/* The entry of a path; NULL: it was not copied. */
const struct workcopy_entry *workcopy_find(const struct workcopy *w,
                                           const char *path);

/* Whether what is in the copy now is what was made, untouched. */
bool workcopy_is_untouched(const struct workcopy_entry *x,
                           const struct stat *now);

/* A directory's mode and owner are no change of the run's where it left alone
 * what the copy had: then they are as those of the original, which somebody
 * else may have changed (st_mode 0: there is none). */
void workcopy_translate(const struct workcopy_entry *x,
                        const struct stat *original, struct stat *now);

#endif
