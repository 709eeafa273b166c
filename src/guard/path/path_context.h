/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_context.h - what a path of a command line is read against.
 *
 * A command line names its files relative to a directory and to a home. The
 * rules, the effects, the profiles and the secrets read paths in the same
 * context. */
#ifndef GUARD_PATH_PATH_CONTEXT_H
#define GUARD_PATH_PATH_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/seat.h"
#include "guard/path/git_files.h"

/* Where the line would run. A pointer that is NULL is not known. */
struct path_context {
    const char *cwd; /* absolute: the working directory */
    /* absolute: the user's workspace, for guard_judge; NULL: the cwd */
    const char *workspace;
    const char *home;
    const char *path; /* the variable PATH */
    bool as_root;     /* RISK_PRIVILEGED is still about a normal user */
    /* of the session that asks: where its own files are, which the line may
     * name; NULL: of nobody */
    const struct seat *seat;
    /* absolute: paths below home that the user's request names and so permits
     * to read (secret_named_in); NULL: none, else NULL at the end */
    const char *const *named;
    /* worker_is_unwanted: then no more files are looked at, and what is found
     * is of no use; NULL: it is wanted */
    const atomic_bool *unwanted;
};

/* The context of a line that would run in the seat's directory, with its home
 * and PATH, as the user of this process. The seat is borrowed. */
struct path_context path_context_of(const struct seat *s);

/* Where git looks for the files of the person whose context this is. */
struct git_person path_context_person(const struct path_context *where);

#endif
