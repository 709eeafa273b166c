/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_list.h - compares, sorts and counts the entries of a struct
 * changes, for changes.c, apply.c and workcopy_list.c. */
#ifndef SANDBOX_PREVIEW_CHANGES_LIST_H
#define SANDBOX_PREVIEW_CHANGES_LIST_H

#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes.h"

/* Returns 1 when two files, each below its directory, hold the same bytes; 0
 * when they do not, or one cannot be read; -1 on error. */
int changes_same_bytes(int one, const char *one_path, int two,
                       const char *two_path, struct err *e);

/* Returns 1 when the link at path has exactly this target, else 0; -1. */
int changes_same_link(int dir, const char *path, const char *target,
                      struct err *e);

/* Returns whether an original was changed since the run began. */
bool changes_is_meanwhile(const struct changes_spec *spec,
                          const struct stat *st);

/* Inspects an original that will be deleted or replaced, as it is now
 * (c->before): fills in files, bytes, meanwhile, and the bar of what is in
 * it. */
int changes_inspect_original(const struct changes_spec *spec, const char *path,
                             struct change *c, struct err *e);

/* Compares paths so that a slash sorts before everything else: the contents of
 * a directory follow it. */
int changes_compare_paths(const char *a, const char *b);

/* Sorts the list by changes_compare_paths. */
void changes_sort(struct changes *c);

/* Finds files that were renamed: the same bytes and time at another path. */
int changes_find_renames(const struct changes_spec *spec, struct changes *c,
                         struct err *e);

/* Fills in the totals. */
void changes_count(struct changes *c);

#endif
