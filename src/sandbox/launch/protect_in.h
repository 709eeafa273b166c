/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_in.h - the parts of protect.c that have files of their own. */
#ifndef SANDBOX_PROTECT_IN_H
#define SANDBOX_PROTECT_IN_H

#include <dirent.h>
#include <sys/stat.h>

#include "sandbox/launch/protect.h"

#define COMMONDIR "commondir" /* gitrepository-layout(5) */

/* One walk: before the command, or after it. */
struct scan {
    struct protect *p;
    bool after;
    protect_told *told;
    void *arg;
};

/* A directory on the way down. */
struct place {
    int fd;
    const char *path; /* below the root; "" for the root itself */
    int depth;
};

typedef int visit_fn(const struct scan *s, const struct place *at,
                     const struct dirent64 *entry, struct err *e);

/* A directory, not a link to one; -1. */
int protect_open_dir(int at, const char *name);
bool protect_has(int dir, const char *name);

/* path and name; the caller frees it. */
char *protect_below(const char *path, const char *name, struct err *e);

/* Calls visit for each entry but "." and "..". What cannot be read is passed
 * over: the command cannot read it either. */
int protect_walk(const struct scan *s, const struct place *at, visit_fn *visit,
                 struct err *e);

/* Before the command: name in dir stays as it is, or where it is. */
int protect_keep(const struct scan *s, const char *dir, const char *name,
                 bool writable, struct err *e);

/* A repository at path: remembered before the command, looked at after it.
 * fd: its directory, or -1 for a `.git` that is a file. */
int protect_note(const struct scan *s, int fd, const struct stat *st,
                 const char *path, struct err *e);

/* .agentsh: makes it where it is missing, and relies on it. */
#define PROTECT_POLICY ".agentsh"
int protect_lock_policy(struct protect *p, struct err *e);
void protect_drop_policy(int dir, int policy);

/* Leaves it to the other end of a socket (protect_inherit); false: nobody is
 * there. */
bool protect_bequeath(const struct protect *p, int heir);

/* `.git` of a directory; a directory that is a repository without one. */
int protect_git(const struct scan *s, const struct place *at, struct err *e);
int protect_bare(const struct scan *s, const struct place *at, struct err *e);

#endif
