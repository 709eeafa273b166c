/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects.h - what exactly a destructive line would touch, before the question.
 *
 * Our own read-only expansion of ~, of variables with known values and of
 * patterns, bounded in entries and time; nothing is run, no link is followed
 * that rm would not follow. What is behind a bound is said to be more. */
#ifndef GUARD_EFFECTS_H
#define GUARD_EFFECTS_H

#include <stdint.h>

#include "guard/risk/risk.h"

#define EFFECTS_PATHS_MAX 200    /* listed by name */
#define EFFECTS_FILES_MAX 200000 /* counted below directories */
#define EFFECTS_MS        150    /* of looking */

struct effects_path {
    char *path; /* absolute, as it would be touched */
    enum risk_use use;
    bool exists, is_directory;
    bool outside;    /* not below the workspace */
    bool untracked;  /* below a git repository that does not know it: what is
                        deleted is nowhere else */
    bool repository; /* it is one itself, or its .git: the history goes too */
    uint64_t files, bytes; /* below a directory: all of it */
};

struct effects_process {
    int pid;
    char name[64], owner[64];
    int64_t started; /* seconds since 1970 */
    bool ours;       /* of this user */
};

struct effects {
    struct effects_path *paths;
    struct effects_process *processes;
    size_t n_paths, n_processes;
    uint64_t files, bytes; /* over all paths */
    size_t outside, untracked;
    bool more;    /* a bound was met: the figures are at least so */
    bool unknown; /* something could not be expanded: who knows */
    /* NULL, or why nothing waives it: "/, the root of all files". */
    char *never;
};

/* Looks at what the destructive paths and calls of a line mean now.
 * workspace: absolute; NULL: the cwd. */
int effects_find(const struct risk *r, const struct risk_place *where,
                 const char *workspace, struct effects *out, struct err *e);
void effects_done(struct effects *x); /* accepts NULL */

/* Whether nobody may delete or overwrite it: / and what lies right below it,
 * $HOME and what is above it, a mount point, a raw disk. The reason in words
 * (static), or NULL. path is absolute; links are followed. */
const char *effects_never(const char *path, const char *home);

#endif
