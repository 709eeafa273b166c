/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_list.h - a list of files as they are at one moment, in memory and in a
 * file of a store (undo_store.h). */
#ifndef ACTION_UNDO_LIST_H
#define ACTION_UNDO_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/sha256.h"

/* Where the bytes of an original are. */
enum undo_kept {
    UNDO_KEPT_NOT,
    UNDO_KEPT_HERE, /* in the entry */
    UNDO_KEPT_FILE, /* in a file of the store: a copy, or the file itself by
                       another name */
    UNDO_KEPT_N
};

struct undo_entry {
    char *path;     /* absolute; owned */
    char *target;   /* of a link; "": none; owned */
    struct stat st; /* st_mode 0: there is nothing */
    enum undo_kept kept;
    char *attributes, *bytes; /* owned; NULL: none */
    size_t attributes_n, bytes_n;
    char hash[SHA256_HEX_SIZE]; /* of a file after a step; "": not taken */
};

struct undo_list {
    struct undo_entry *v;
    size_t n, room;
    /* the paths that were asked for; one that ends with a slash is a directory
     * without what is in it; owned */
    char **roots;
    size_t n_roots;
    size_t *slots; /* a hash table of the paths: number + 1; 0: free */
    size_t n_slots;
};

/* Adds what st says about a path, and reads the target where it is a link. The
 * entry is borrowed until the next call; NULL: ERR_NOMEM. */
struct undo_entry *undo_list_add(struct undo_list *l, int root,
                                 const char *path, const struct stat *st,
                                 struct err *e);
/* NULL: it is not in the list. */
const struct undo_entry *undo_list_find(const struct undo_list *l,
                                        const char *path);
int undo_list_add_root(struct undo_list *l, const char *path, struct err *e);

/* Writes it below a directory, whole or not at all; sync: it and what it says
 * are on the disk before it gets its name. Reads it. A missing file is
 * ERR_NOT_FOUND, a damaged one, or one that is not complete, ERR_PARSE. */
int undo_list_write(const struct undo_list *l, int dir, const char *name,
                    bool sync, struct err *e);
int undo_list_read(struct undo_list *l, int dir, const char *name,
                   struct err *e);
void undo_list_done(struct undo_list *l);

/* Whether nothing changed the file between the two. Of a directory only that it
 * is one: its entries are listed for themselves. */
bool undo_entry_is_same(const struct undo_entry *x, const struct stat *now);

/* The same without the time of change, which a rename or a new name sets. */
bool undo_stat_is_alike(const struct stat *a, const struct stat *b);

#endif
