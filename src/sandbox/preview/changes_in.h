/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_in.h - the parts of changes.c that have files of their own. */
#ifndef SANDBOX_CHANGES_IN_H
#define SANDBOX_CHANGES_IN_H

#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes.h"

/* 1 when the two files, each below its directory, hold the same bytes, 0 when
 * not or when one cannot be read, -1 on error. */
int changes_same_bytes(int one, const char *one_path, int two,
                       const char *two_path, struct err *e);

/* 1 when the link at path leads to target, as it is written; 0; -1. */
int changes_same_link(int dir, const char *path, const char *target,
                      struct err *e);

/* What overlayfs says of an entry of upper: that a directory hides the one
 * below, that something was copied up. */
bool changes_is_opaque(const struct beneath_entry *x);
bool changes_is_copy(const struct beneath_entry *x);

/* Makes readable what the run left unreadable for its owner, and notes the
 * mode that it gave: x has that one, also when upper is read again. */
void changes_open_up(struct beneath_entry *x);
/* The same for upper itself. */
void changes_open_top(int upper, struct stat *st);

/* Whether an original was changed since the run began. */
bool changes_is_meanwhile(const struct changes_spec *spec,
                          const struct stat *st);

/* Looks at the original at path as it is now, c->before, that goes or is
 * replaced: fills files, bytes, meanwhile, and the bar of what is in it. */
int changes_weigh(const struct changes_spec *spec, const char *path,
                  struct change *c, struct err *e);

/* The order of paths: a slash comes before everything, so that what is in a
 * directory follows it. */
int changes_compare_paths(const char *a, const char *b);

/* Sorts; a slash comes before everything, so that what is in a directory
 * follows it. */
void changes_order(struct changes *c);

/* Finds what was renamed: same bytes, same time, another place. */
int changes_pair(const struct changes_spec *spec, struct changes *c,
                 struct err *e);

/* Fills the totals. */
void changes_sum(struct changes *c);

#endif
