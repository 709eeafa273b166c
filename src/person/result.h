/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.h - standard output carries the result, or the run has failed. */
#ifndef PERSON_RESULT_H
#define PERSON_RESULT_H

#include "person/app.h"

/* Writes all of b to standard output and empties it. What could not be
 * written is kept in a->unwritten, the first reason, for result_status; a
 * reader that left (EPIPE) has what it wanted: that is kept in
 * a->reader_left. */
void result_put(struct app *a, struct buf *b);

/* The same for what another wrote there: keeps why it could not. */
void result_lost(struct app *a, const struct err *why);

/* Writes b to standard output, for who ends with app_fail. e is not NULL. */
int result_write(const struct buf *b, struct err *e);

/* The exit status of a run that ends with `status`: where a result was lost
 * the reason is said, and 0 becomes 1. Where its reader left, 0 becomes what a
 * shell makes of SIGPIPE (141), as for other programs. Once, at the end. */
int result_status(struct app *a, int status);

#endif
