/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refused.h - which calls the launcher refused, read from its report. */
#ifndef SANDBOX_REFUSED_H
#define SANDBOX_REFUSED_H

#include "base/buf.h"
#include "base/cleanup.h"

#define REFUSED_MAX 16 /* more of them would explain no failure better */

struct refused {
    const char *names[REFUSED_MAX]; /* "socket", "ptrace"; each once, in text */
    size_t n;
    struct buf text;
};

/* Reads what the report (spec.h) holds so far: a file from its beginning, or
 * a pipe that does not wait. Its other lines are passed over. -1 with r empty
 * when it cannot be read. r needs refused_done. */
int refused_read(int report, struct refused *r, struct err *e);
void refused_done(struct refused *r);

#endif
