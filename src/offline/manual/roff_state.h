/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_state.h - the state of a roff reader: sources, definitions, blocks. */
#ifndef OFFLINE_MANUAL_ROFF_STATE_H
#define OFFLINE_MANUAL_ROFF_STATE_H

#include "offline/manual/roff.h"

/* Measured on 20,000 pages: none defines more than 60 names, none nests
 * macros deeper than 3. */
#define ROFF_DEFS_MAX  256
#define ROFF_DEPTH_MAX 8
#define ROFF_LINE_MAX  8192

/* The limit of work for one page: bytes that are read, copied and written, and
 * a toll for each line. The largest of 2,000 pages needs 6 million; the limit
 * is a tenth of a second. */
#define ROFF_WORK_MAX  20000000
#define ROFF_LINE_TOLL 64

/* The first byte of a register's name among the definitions. */
#define ROFF_REGISTER '\001'

struct roff_def {
    char *name, *text; /* the value of a string, the body of a macro */
    bool is_macro;
};

struct roff_source { /* the page, or the body of a called macro */
    const char *at, *end;
    char *args[9];
    char *owned; /* a copy of the body: a macro may redefine itself */
};

struct roff {
    struct roff_source sources[ROFF_DEPTH_MAX];
    size_t depth;
    struct roff_def defs[ROFF_DEFS_MAX];
    size_t n_defs;
    unsigned long work;
    bool else_branch[32]; /* per open block: whether .el applies */
    size_t blocks;
    char line[ROFF_LINE_MAX], words[ROFF_LINE_MAX];
};

enum roff_verdict {
    ROFF_SKIP,  /* the request was carried out */
    ROFF_AGAIN, /* r->line is now what followed a condition that holds */
    ROFF_OUT,   /* a macro, or a request that the caller handles */
};

/* Reads the name behind \f, \* or \n: one byte, (xx or [xxx]. *p is advanced
 * behind it. */
void roff_take_name(const char **p, const char **name, size_t *n);

#endif
