/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denial.h - explains what the sandbox denied, after a step failed in it. */
#ifndef GUARD_DENIAL_H
#define GUARD_DENIAL_H

#include <limits.h>
#include <sys/types.h>

#include "guard/guard.h"

/* What would let the step succeed. */
enum denial_remedy_kind {
    DENIAL_REMEDY_NONE,     /* no profile gives it */
    DENIAL_REMEDY_APPROVAL, /* an approval: it ran without one */
    DENIAL_REMEDY_WRITE,    /* one more writable directory */
    DENIAL_REMEDY_READ,     /* reading home and the machine, without secrets */
    DENIAL_REMEDY_NET,      /* the network */
    DENIAL_REMEDY_FULL,     /* no sandbox at all */
};

struct denial_remedy {
    enum denial_remedy_kind kind;
    /* of DENIAL_REMEDY_WRITE: the directory, absolute and with links resolved,
     * and its identity, since another directory may be put there before the
     * person answers; else "" */
    char path[PATH_MAX];
    dev_t dev;
    ino_t ino;
};

/* Sets the remedy to writing in a directory, absolute and with links resolved.
 * False: no profile makes that directory writable. */
bool denial_remedy_write(struct denial_remedy *remedy, const char *dir,
                         const struct path_context *where);

/* Whether a step in profile p can be given the remedy. net: it has the network.
 * observe can read most files, so it never gets the network. */
bool denial_remedy_fits(enum denial_remedy_kind kind, enum profile p, bool net);

/* How the step ran, and what the launcher recorded. */
struct denial_run {
    enum profile profile;
    bool reduced; /* user namespaces were missing */
    bool net;
    const char *workspace; /* NULL: none */
    const char *copy_of; /* the workspace is a copy of this directory, which the
                            step cannot reach; NULL: it is no copy */
    const char *const *writable; /* directories beside the workspace */
    size_t n_writable;
    const char *const *calls; /* names of system calls: "socket", "ptrace" */
    size_t n_calls;
    bool auto_approved; /* it ran without a question, and could write nothing */
    bool asks_next;     /* the caller asks next whether to run it with more: the
                      line does not say how to do that */
    const char *stderr_text; /* the end of its standard error, which is only a
                         hint; NULL: none */
    size_t stderr_len;
};

/* Appends one line without a newline:
 *     blocked: write /etc/hosts (profile workspace-write: only ~/proj is
 *     writable); run it in the profile full, after checking what it does
 * It appends nothing when the sandbox stops nothing that the line is known to
 * do or that the step reports as denied: then the step failed by itself.
 * Returns whether it appended a line. remedy receives what the step lacked; it
 * may be NULL. A mere report by the step never leads to DENIAL_REMEDY_FULL, nor
 * to a directory that no profile makes writable. */
bool denial_explain(const struct guard_finding *f, const struct denial_run *ran,
                    const struct path_context *where,
                    struct denial_remedy *remedy, struct buf *out);

#endif
