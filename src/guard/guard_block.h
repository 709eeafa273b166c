/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard_block.h - what the walls refused, after a step failed behind them. */
#ifndef GUARD_GUARD_BLOCK_H
#define GUARD_GUARD_BLOCK_H

#include <limits.h>
#include <sys/types.h>

#include "guard/guard.h"

/* What would have let the step do it. */
enum guard_gain_kind {
    GUARD_GAIN_NONE,  /* nothing that a profile gives */
    GUARD_GAIN_ASKED, /* to run as after a yes: it ran unasked */
    GUARD_GAIN_WRITE, /* a directory to write in */
    GUARD_GAIN_READ,  /* to see the files of home and the machine, no secrets */
    GUARD_GAIN_NET,   /* the network */
    GUARD_GAIN_FULL,  /* no sandbox */
};

struct guard_gain {
    enum guard_gain_kind kind;
    /* of WRITE the directory, absolute and without links, and which one it is,
     * for another may stand there before the person has answered; else "" */
    char path[PATH_MAX];
    dev_t dev;
    ino_t ino;
};

/* Makes it one to write in a directory, absolute and without links. False: no
 * profile makes that writable. */
bool guard_gain_write(struct guard_gain *gain, const char *dir,
                      const struct risk_place *where);

/* Whether a profile takes it, beside what it has. observe sees much, so it has
 * no network. */
bool guard_gain_fits(enum guard_gain_kind kind, enum profile p, bool net);

/* How the step ran, and what the launcher noted. */
struct guard_block {
    enum profile profile;
    bool reduced; /* there were no namespaces */
    bool net;
    const char *workspace;       /* NULL: there was none */
    const char *copy_of;         /* the workspace is a copy of this directory,
                                    which is closed; NULL: it is none */
    const char *const *writable; /* directories beside it */
    size_t n_writable;
    const char *const *refused; /* calls: "socket", "ptrace" */
    size_t n_refused;
    bool unasked;     /* nobody was asked: it could write nothing */
    bool asks;        /* whether it runs with more is asked next: the line does
                         not say how that is done */
    const char *said; /* the end of its standard error, a hint; NULL: none */
    size_t n_said;
};

/* Appends one line without a newline:
 *     blocked: write /etc/hosts (profile workspace-write: only ~/proj is
 *     writable); run it in the profile full, after checking what it does
 * or nothing, when no wall stands before anything that the line is known to
 * do, or that the step says it was denied: then it failed by itself. Returns
 * whether there is a line; gain, unless NULL, is what it lacked. What only the
 * step says never leads to GUARD_GAIN_FULL, nor to a directory that no profile
 * makes writable. */
bool guard_explain_block(const struct guard_finding *f,
                         const struct guard_block *ran,
                         const struct risk_place *where,
                         struct guard_gain *gain, struct buf *out);

#endif
