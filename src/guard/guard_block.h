/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard_block.h - what the walls refused, after a step failed behind them. */
#ifndef GUARD_GUARD_BLOCK_H
#define GUARD_GUARD_BLOCK_H

#include "guard/guard.h"

/* How the step ran, and what the launcher noted. */
struct guard_block {
    enum profile profile;
    bool net;
    const char *workspace;       /* NULL: there was none */
    const char *const *writable; /* directories beside it */
    size_t n_writable;
    const char *const *refused; /* calls: "socket", "ptrace" */
    size_t n_refused;
};

/* Appends one line without a newline:
 *     blocked: write /etc/hosts (profile workspace-write: only ~/proj is
 *     writable); run it in the profile full, after a look at what it does
 * or nothing, when no wall stands before anything that the line is known to
 * do: then the step failed by itself. Returns whether there is a line. */
bool guard_explain_block(const struct guard_finding *f,
                         const struct guard_block *ran,
                         const struct risk_place *where, struct buf *out);

#endif
