/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lost.h - events that a run lost and could not say so in the journal.
 *
 * A run that finds the disk full ends before there is space again. What it
 * leaves is a file beside the journal, PATH-lost, whose length is the number
 * of those events: a length takes no block of a full disk. The next run that
 * opens the journal takes it and adds the row that tells of them. */
#ifndef RECORD_LOST_H
#define RECORD_LOST_H

#include <stdint.h>

/* Adds n to those that are missing in the journal at path, if it can. */
void lost_note(const char *path, int64_t n);

/* How many there are; from now on none. 0: none, or it cannot be known. */
int64_t lost_take(const char *path);

#endif
