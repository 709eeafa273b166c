/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_process.h - the processes of the machine, from /proc. */
#ifndef GUARD_EFFECTS_PROCESS_H
#define GUARD_EFFECTS_PROCESS_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "guard/effects/effects.h"

struct effects_proc {
    struct effects_process shown; /* pid and name; the rest by _describe */
    int group;                    /* the process group */
    unsigned uid;                 /* of who runs it */
    char command[64]; /* the base name of its program, where `name`, 15 bytes
                         at most, cuts it off; else "" */
};

/* Reads one process. False: there is none of that number. */
bool effects_proc_read(int pid, struct effects_proc *out);

/* Fills in whose it is and since when it runs. */
void effects_proc_describe(struct effects_proc *p);

/* Appends its command line, a blank between two arguments. */
void effects_proc_arguments(int pid, struct buf *out);

#endif
