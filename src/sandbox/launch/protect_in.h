/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_in.h - the parts of protect.c that have files of their own. */
#ifndef SANDBOX_PROTECT_IN_H
#define SANDBOX_PROTECT_IN_H

#include <dirent.h>
#include <sys/stat.h>

#include "guard/path/git_config.h"
#include "guard/path/git_trusted.h"
#include "sandbox/launch/protect.h"

/* One walk: before the command, or after it. */
struct scan {
    struct protect *p;
    bool after;
    protect_told *told;
    void *arg;
};

/* A directory on the way down. */
struct place {
    struct place *up; /* NULL: the root, or one that was not walked to */
    int fd;
    const char *path; /* below the root; "" for the root itself */
    int depth;
    bool pinned;    /* it and what is above it stay where they are */
    unsigned marks; /* git_trusted_entry of what it holds */
};

/* A directory, not a link to one; -1. */
int protect_open_dir(int at, const char *name);
bool protect_has(int dir, const char *name);

/* The same by its path below the root, without links on the way. */
int protect_reopen(const struct protect *p, const char *path, int flags);

/* path and name; the caller frees it. */
char *protect_below(const char *path, const char *name, struct err *e);

/* Room for one more of n items that were allocated by this. */
void *protect_room(void *items, size_t n, size_t size, struct err *e);

void protect_tell(const struct scan *s, const char *what, const char *path);

/* Calls visit for each entry but "." and "..". What cannot be read is passed
 * over. */
typedef int visit_fn(const struct scan *s, struct place *at,
                     const struct dirent64 *entry, struct err *e);
int protect_walk(const struct scan *s, struct place *at, visit_fn *visit,
                 struct err *e);

/* What was noted of a file or directory before the command; NULL: nothing. */
const struct protect_repo *protect_known(const struct protect *p,
                                         const struct stat *st);
int protect_note(struct protect *p, const struct stat *st, unsigned had,
                 struct err *e);
#define PROTECT_WHOLE (~0u) /* of one that was kept with all that is in it */

/* Before the command (protect_keep.c). */

/* name in the directory stays as it is, or where it is; and so do what a link
 * leads to and what is above. */
int protect_keep(const struct scan *s, struct place *at, const char *name,
                 bool writable, struct err *e);

/* The directory itself, with all that is in it. */
int protect_keep_whole(const struct scan *s, struct place *at, struct err *e);

/* An entry with all that is in it, since it cannot be looked into. Where the
 * directory that holds it is closed as well, that one. */
int protect_keep_closed(const struct scan *s, struct place *at,
                        const char *name, struct err *e);

/* A directory of programs, and what the links in it lead to. */
int protect_keep_hooks(const struct scan *s, struct place *at, const char *name,
                       struct err *e);

/* What a path leads to, from a directory below the root on: every link on the
 * way stays, and the end of it. */
enum {
    ROUTE_FILE = 1,   /* not a directory */
    ROUTE_ABSENT = 2, /* one that is not there is remembered */
};
int protect_keep_route(const struct scan *s, const char *from,
                       const char *target, unsigned how, struct err *e);

/* What is made for the time of the run (protect_loan.c). */

/* Makes name with the text, which is static, where it is missing; text NULL: a
 * directory. *lent: it is ours, or of another who made it for a run. */
int protect_lend(const struct scan *s, const struct place *at, const char *name,
                 const char *text, bool *lent, struct err *e);
void protect_take_back(struct protect *p);
/* Removes a copy of one with a text, unless another relies on it. */
bool protect_drop_copy(int dir, const char *name, const char *text);

/* Repositories (protect_git.c). */

/* `.git` of a directory; a directory that is a repository without one. */
int protect_git(const struct scan *s, struct place *at, struct err *e);
int protect_bare(const struct scan *s, struct place *at, struct err *e);

/* What the configurations of the person and the system name, and that in the
 * directory of a repository (protect_named.c). tree: where its working tree
 * is; NULL: not known, or it has none. After the command: of one that is new,
 * what the person's names. */
int protect_named_global(const struct scan *s, struct err *e);
int protect_named(const struct scan *s, const struct place *git,
                  const char *tree, struct err *e);

/* After the command (protect_clean.c). */

/* A repository: what of it is new makes git run nothing. repo: as it was
 * before; NULL: it was not there. */
void protect_clean(const struct scan *s, const struct place *git,
                   const struct protect_repo *repo);

/* What a configuration names and is there now: what was not there before, or
 * a path from a directory below the root. */
void protect_clean_absent(const struct scan *s);
void protect_clean_named(const struct scan *s, const char *from,
                         const char *path);

/* Opens a directory that its owner, who we are, may not look into, but none
 * that was kept as it is; *mode is what it has to get back by fchmod. */
int protect_force_open(const struct scan *s, int at, const char *name,
                       mode_t *mode);

/* Where nothing was bound: what was copied is as it was, or `loose` stays
 * (protect_restore.c). */
void protect_restore(const struct scan *s);
void protect_copies_done(struct protect *p);

/* Gives what is there another name, and tells of it. */
#define PROTECT_SUFFIX ".aside-" /* and a number */
void protect_set_aside(const struct scan *s, const struct place *at,
                       const char *name);
/* Whether it was, in this run: a command chooses its names itself. */
bool protect_is_aside(const struct protect *p, const char *name);

#endif
