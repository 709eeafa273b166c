/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_look.h - what the files of effects share while they look. */
#ifndef GUARD_EFFECTS_LOOK_H
#define GUARD_EFFECTS_LOOK_H

#include <limits.h>

#include "guard/effects/effects.h"
#include "guard/effects/git_index.h"
#include "guard/effects/glob.h"

struct effects_look {
    const struct risk *r;
    const struct risk_place *where;
    char workspace[PATH_MAX]; /* links followed; "": none */
    char home[PATH_MAX];      /* the same */
    struct effects *out;
    struct glob_limit limit;
    /* What was asked last: a pattern gives many paths of one directory. */
    char dir[PATH_MAX], real_dir[PATH_MAX]; /* links followed */
    char repo_dir[PATH_MAX];                /* real; "": none was asked */
    bool in_repo;
    /* The repository that was met last: one line seldom touches two. */
    char *top;               /* NULL: none was met */
    struct git_index *index; /* NULL: it could not be read */
    /* The call of find whose {} were looked at last, and for which uses (a bit
     * each): a line may name {} thousands of times. */
    const struct risk_call *find;
    unsigned find_uses;
    bool no_room; /* no memory */
};

/* effects_never for the thing itself, a link not followed; path is clean. */
const char *effects_never_itself(const char *path, const char *home);

/* Where a path really lies: its directory's links followed, itself not. False:
 * the directory is not there, or not ours to see. */
bool effects_real_path(struct effects_look *l, const char *path,
                       char out[PATH_MAX]);

/* Opens the repository that a path lies in; NULL: none. A file's name in it is
 * what follows the top and a slash. */
const struct git_index *effects_repo(struct effects_look *l, const char *path);

/* One more path that is touched, as struct effects_path says. deep: with all
 * that lies below it. */
void effects_add_path(struct effects_look *l, const char *path,
                      enum risk_use use, bool deep);

/* The processes that a call of kill, pkill or killall would signal. False:
 * it is no such call. What it names by an expansion is unknown. */
bool effects_kill(struct effects_look *l, const struct risk_call *call);

/* What `find` with tests or `git clean` would delete of what lies below the
 * path p. False: the call, which may be NULL, is neither: p means itself. */
bool effects_select(struct effects_look *l, const struct risk_call *call,
                    const struct risk_path *p);
/* What cp or mv of a pattern into a directory overwrites there: p is the
 * directory with that pattern behind it. False: the sources are not known. */
bool effects_copy(struct effects_look *l, const struct risk_path *p);

/* find with -delete and no root, which begins where it starts. */
bool effects_select_here(struct effects_look *l, const struct risk_call *call);
bool effects_git_clean(struct effects_look *l, const struct risk_call *call,
                       const struct risk_path *p);

/* Says so when all that a path of the line means would be deleted and must
 * not be. */
void effects_check_never(struct effects_look *l, const struct risk_path *p);

/* Nothing waives it: "BEFOREpathAFTER", the path as a person writes it. */
void effects_say_never(struct effects_look *l, const char *before,
                       const char *path, const char *after);

#endif
