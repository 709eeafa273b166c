/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_scan.h - the state of one scan, and the steps that share it. */
#ifndef GUARD_EFFECTS_EFFECTS_SCAN_H
#define GUARD_EFFECTS_EFFECTS_SCAN_H

#include <limits.h>

#include "guard/effects/effects.h"
#include "guard/effects/git_index.h"
#include "guard/effects/glob.h"

struct effects_scan {
    const struct risk *r;
    const struct path_context *where;
    char workspace[PATH_MAX]; /* with links resolved; "": none */
    char home[PATH_MAX];      /* likewise */
    struct effects *out;
    struct glob_limit limit;
    /* The last directory that was resolved: a pattern yields many paths of
     * one. */
    char dir[PATH_MAX], real_dir[PATH_MAX]; /* with links resolved */
    char repo_dir[PATH_MAX]; /* with links resolved; "": none yet */
    bool in_repo;
    /* The last repository that was found: a line seldom touches two. */
    char *top;               /* NULL: none yet */
    struct git_index *index; /* NULL: it could not be read */
    /* The call of find whose {} was scanned last, and a bit for each use that
     * was: a line may name {} thousands of times. */
    const struct risk_call *find;
    unsigned find_uses;
    bool no_room; /* memory ran out */
};

/* How the line touches a path. */
struct effects_touch {
    enum risk_use use;
    bool deep;    /* with everything below it */
    bool whole;   /* all of it may be lost: it must not be protected */
    bool changed; /* it is overwritten: it must not be a disk */
};

/* Resolves the links of the path's directory, and not the path itself. False:
 * the directory does not exist, or this user cannot see it. */
bool effects_scan_resolve(struct effects_scan *scan, const char *path,
                          char out[PATH_MAX]);

/* Opens the index of the repository that a path lies in; NULL: none. The path's
 * name in the index follows the repository's top directory and a slash. */
const struct git_index *effects_open_index(struct effects_scan *scan,
                                           const char *path);

/* Adds one path that is touched. deep: with everything below it. Past
 * EFFECTS_PATHS_MAX only the figures grow. */
void effects_scan_add(struct effects_scan *scan, const char *path,
                      enum risk_use use, bool deep);

/* Adds the processes that a call of kill, pkill or killall would signal. False:
 * it is no such call. A name that an expansion hides makes the effects
 * unknown. */
bool effects_signals(struct effects_scan *scan, const struct risk_call *call);

/* Adds what `find` with tests or `git clean` would delete below the path p.
 * False: the call (it may be NULL) is neither, and p stands for itself. */
bool effects_select(struct effects_scan *scan, const struct risk_call *call,
                    const struct risk_path *p);
/* Adds what cp or mv of a pattern into a directory would overwrite there. p is
 * the directory, followed by that pattern. False: the sources are not known. */
bool effects_copy(struct effects_scan *scan, const struct risk_path *p);

/* Adds what find with -delete and without a root would delete: it starts in its
 * working directory. False: the call is no such call. */
bool effects_select_here(struct effects_scan *scan,
                         const struct risk_call *call);

/* Refuses an absolute path that is protected when all of it would be lost, or a
 * disk that would be overwritten. */
void effects_check_protected(struct effects_scan *scan, const char *path,
                             const struct effects_touch *t);

/* Refuses the loss of everything in a directory where that is as bad as losing
 * the directory: in / and in $HOME. known: the line names that directory, and
 * does not only lead to it when an expansion is empty. */
void effects_check_all_of(struct effects_scan *scan, const char *dir,
                          bool known);

/* Refuses when a path of the line is protected and would be deleted with
 * everything in it. */
void effects_check_deleted(struct effects_scan *scan,
                           const struct risk_path *p);

/* Sets the reason that nothing waives, unless one is set: BEFORE, the path as a
 * person writes it, AFTER. */
void effects_refuse(struct effects_scan *scan, const char *before,
                    const char *path, const char *after);

/* Appends the absolute paths that a path of the line means. A pattern without a
 * match stands for itself, as in bash. all_of receives the directory that the
 * path means everything in (~ for all in ~), or "". False: part of the path is
 * not known; then all_of is "/" when an expansion that may be empty precedes
 * everything in it. */
bool effects_expand(struct effects_scan *scan, const struct risk_path *p,
                    struct glob_list *found, char all_of[PATH_MAX]);

#endif
