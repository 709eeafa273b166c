/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_context.h - what a path of a command line is read against.
 *
 * A command line names its files relative to a directory and to a home. The
 * rules, the effects, the profiles and the secrets read paths in the same
 * context. */
#ifndef GUARD_PATH_PATH_CONTEXT_H
#define GUARD_PATH_PATH_CONTEXT_H

#include <stdbool.h>

/* Where the line would run. A pointer that is NULL is not known. */
struct path_context {
    const char *cwd; /* absolute: the working directory */
    /* absolute: the user's workspace, for guard_judge; NULL: the cwd */
    const char *workspace;
    const char *home;
    const char *path; /* the variable PATH */
    bool as_root;     /* RISK_PRIVILEGED is still about a normal user */
    /* absolute: paths below home that the user's request names and so permits
     * to read (secret_named_in); NULL: none, else NULL at the end */
    const char *const *named;
};

/* The context of this process: its home, PATH and user. cwd is borrowed. */
struct path_context path_context_here(const char *cwd);

#endif
