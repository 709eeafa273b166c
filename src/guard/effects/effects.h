/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects.h - finds out what a destructive line would touch.
 *
 * The review shows it before it asks. The line is expanded here and nothing is
 * run: ~, variables with known values and patterns are resolved by reading
 * directories, with a bound on entries and on time. No link is followed that rm
 * would not follow. What lies beyond a bound is reported as `more`, and what
 * cannot be expanded as `unknown`. The folder reads the file system and /proc,
 * and knows no rules and no profiles. Only memory can fail. */
#ifndef GUARD_EFFECTS_EFFECTS_H
#define GUARD_EFFECTS_EFFECTS_H

#include <stdint.h>

#include "guard/risk/risk.h"

#define EFFECTS_PATHS_MAX 200    /* that are listed by name */
#define EFFECTS_FILES_MAX 200000 /* that are counted below directories */
#define EFFECTS_MS        150    /* of scanning, in total */

struct effects_path {
    char *path; /* absolute, as it would be touched */
    enum risk_use use;
    bool exists, is_directory;
    bool outside;    /* not below the workspace */
    bool untracked;  /* below a git repository that does not track it: once
                        deleted, it is gone */
    bool repository; /* it is a repository, or its .git: its history is lost too
                      */
    uint64_t files, bytes; /* of a directory: all that lies below it */
};

struct effects_process {
    int pid;
    char name[64], owner[64];
    int64_t started; /* seconds since 1970 */
    bool ours;       /* it belongs to this user */
};

struct effects {
    struct effects_path *paths;
    struct effects_process *processes;
    size_t n_paths, n_processes;
    uint64_t files, bytes; /* over all paths */
    size_t outside, untracked;
    bool more;    /* a bound was reached: the figures are lower limits */
    bool unknown; /* something could not be expanded: anything may be touched */
    /* Set when a path may not be lost whatever the rules say: "/, the root of
     * all files". NULL: no such path. */
    char *protected_path;
};

/* Scans what the destructive paths and calls of a line mean now. workspace is
 * absolute; NULL: the working directory. */
int effects_find(const struct risk *r, const struct path_context *where,
                 const char *workspace, struct effects *out, struct err *e);
void effects_done(struct effects *x); /* accepts NULL */

/* Why a path is protected: nobody may delete or overwrite it. */
enum effects_protection {
    EFFECTS_UNPROTECTED,
    EFFECTS_IS_ROOT,       /* / */
    EFFECTS_IS_HOME,       /* $HOME */
    EFFECTS_IS_ABOVE_HOME, /* /home */
    EFFECTS_IS_DISK,       /* a block device, or a name that disks have */
    EFFECTS_IS_TOP,        /* it exists directly below / */
    EFFECTS_IS_MOUNT_POINT,
};

/* The protection of an absolute path (any other is unprotected), and of the
 * path that it leads to. home may be NULL. */
enum effects_protection effects_protection(const char *path, const char *home);

#endif
