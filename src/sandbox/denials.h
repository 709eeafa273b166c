/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denials.h - the system calls that the sandbox refused, from the launcher's
 * report. */
#ifndef SANDBOX_DENIALS_H
#define SANDBOX_DENIALS_H

#include "base/buf.h"
#include "base/cleanup.h"

#define DENIALS_MAX 16 /* more of them would not explain a failure better */

struct denials {
    const char *names[DENIALS_MAX]; /* "socket", "ptrace"; each once; in text */
    size_t n;
    struct buf text;
};

/* Reads the names in the report so far. The report is a file, which is read
 * from its beginning, or a non-blocking pipe; its other lines are skipped.
 * -1, with r empty, when it cannot be read. The caller calls denials_done. */
int denials_read(int report, struct denials *r, struct err *e);
void denials_done(struct denials *r);

#endif
