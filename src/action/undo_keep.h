/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_keep.h - lists what is at and below some paths, and keeps its bytes.
 *
 * A file that only goes away is kept as it is, by another name in the store,
 * where that is on the same filesystem; any other one is copied, a small one
 * into the list itself, so that one write and one sync keep it. */
#ifndef ACTION_UNDO_KEEP_H
#define ACTION_UNDO_KEEP_H

#include <stdint.h>

#include "action/undo_list.h"

#define UNDO_ENTRIES_MAX 100000 /* of a step; more are not kept */

/* What a step does to a path. */
enum undo_how {
    UNDO_CHANGES, /* anything, to it and to all below */
    UNDO_GOES,    /* it and all below may go away, and nothing else */
    UNDO_ALONE,   /* its attributes change; nothing below it */
};
struct undo_target {
    char *path; /* absolute, without links in its directories; owned */
    enum undo_how how;
};
struct undo_targets {
    struct undo_target *v;
    size_t n, room;
};
int undo_targets_add(struct undo_targets *t, const char *path,
                     enum undo_how how, struct err *e);
void undo_targets_done(struct undo_targets *t);

struct undo_keeping {
    int root;        /* of all files */
    int into;        /* the directory of bytes; -1: only a list is made */
    const char *own; /* the store's place, which cannot be kept; NULL: none */
    uint64_t room;   /* bytes that may still be kept */
    uint64_t used;   /* that were */
    bool check;      /* nothing is kept: would it be possible? */
    struct undo_list list;
    enum undo_how how; /* of the path that is listed now */
    bool some_alone;
};

/* Lists the paths with all below them, and the directories that hold them;
 * keeps them where `into` is set. Where they are only listed, what is in a
 * directory that we may not read is left out. ERR_NOMEM: more than may be kept.
 * The caller frees the list, after a failure too. */
int undo_keep_targets(struct undo_keeping *k, const struct undo_targets *t,
                      struct err *e);

/* Adds the other names below `top` of files that have several: to t, too. */
int undo_keep_twins(struct undo_keeping *k, struct undo_targets *t,
                    const char *top, struct err *e);

/* Sets the hashes of the files that differ from those of another list. */
void undo_keep_hash(int root, const struct undo_list *before,
                    struct undo_list *after);

/* The hash of the contents of a file; "": it is too large, or cannot be read.
 * *left bytes may be read, and are counted down. */
void undo_keep_hash_file(int root, const char *path, uint64_t *left,
                         char hex[SHA256_HEX_SIZE]);

/* After a step: lets go of the files that did not go away after all, and copies
 * those that have got another name, which somebody may write to. */
void undo_keep_settle(int root, int into, const struct undo_list *before);

#endif
