/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_state.h - inside roff.c: what a page has defined, where it is read. */
#ifndef OFFLINE_ROFF_STATE_H
#define OFFLINE_ROFF_STATE_H

#include "offline/manual/roff.h"

/* Measured on 20,000 pages: none defines more than 60 names, none nests
 * macros deeper than 3. */
#define ROFF_DEFS_MAX  256
#define ROFF_DEPTH_MAX 8
#define ROFF_LINE_MAX  8192

/* Bytes read, copied and written, with a toll for each line. The largest of
 * 2,000 pages needs 6 million; this is a tenth of a second. */
#define ROFF_WORK_MAX  20000000
#define ROFF_LINE_TOLL 64

/* Begins a register's name among the definitions. */
#define ROFF_REGISTER '\001'

struct roff_def {
    char *name, *text; /* a string's value, a macro's body */
    bool is_macro;
};

struct roff_source { /* the page, or the body of a macro that was called */
    const char *at, *end;
    char *args[9];
    char *owned; /* the body, since a macro may redefine itself */
};

struct roff {
    struct roff_source sources[ROFF_DEPTH_MAX];
    size_t depth;
    struct roff_def defs[ROFF_DEFS_MAX];
    size_t n_defs;
    unsigned long work;
    bool else_branch[32]; /* for each open block: does .el apply? */
    size_t blocks;
    char line[ROFF_LINE_MAX], words[ROFF_LINE_MAX];
};

bool roff_is_control(const char *line);

/* The next line into r->line, continued ones joined. */
bool roff_read_line(struct roff *r);

enum roff_verdict {
    ROFF_SKIP,  /* the request is done with */
    ROFF_AGAIN, /* r->line is another line now: what a condition let through */
    ROFF_OUT,   /* a macro, or a request that is not ours */
};
enum roff_verdict roff_take_request(struct roff *r);

/* Whether a condition (the text behind .if) holds; *rest is what follows. */
bool roff_condition(const struct roff *r, const char *text, const char **rest);

/* The definition of that name, NULL when there is none. */
const struct roff_def *roff_find(const struct roff *r, const char *name,
                                 size_t n);

/* A name behind \f, \*, \n, …: one byte, (xx or [xxx]; *p moves behind it. */
void roff_take_name(const char **p, const char **name, size_t *n);

#endif
