/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temp.h - a file on its way to its name.
 *
 * Where the file system knows files without names (O_TMPFILE) it has none
 * until it is whole, so that nothing is left of it when its writer is killed;
 * else it is .agentsh- and sixteen digits. */
#ifndef PLUGINS_LIB_TEMP_H
#define PLUGINS_LIB_TEMP_H

#include "plugins/lib/place.h"

#define TEMP_NAME_SIZE 32

struct temp {
    int dir;                   /* borrowed from the place */
    int fd;                    /* -1: none */
    char name[TEMP_NAME_SIZE]; /* "": it has none (any more) */
};

/* Opens one for writing in the directory of p. t needs temp_done in any case,
 * which removes what has not got its name. */
int temp_open(struct temp *t, const struct place *p, mode_t mode,
              struct err *e);
void temp_done(struct temp *t);

enum temp_name {
    TEMP_OVER,      /* in place of what has the name */
    TEMP_NEW,       /* where nothing had it: what appears meanwhile has it,
                       unless the file system knows no way to that */
    TEMP_EXCLUSIVE, /* the same; without such a way it fails */
};

/* Gives it the name of p. ERR_IO with EEXIST in e->sys: something has it.
 * ERR_UNSUPPORTED: only TEMP_EXCLUSIVE. */
int temp_settle(struct temp *t, const struct place *p, enum temp_name how,
                struct err *e);

#endif
