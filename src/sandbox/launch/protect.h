/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect.h - what of a writable directory stays as it is.
 *
 * Who calls git in a workspace later stands outside the walls, and git runs
 * what files of a repository name (guard/path/git_trusted.h). So there is one
 * thing that holds after every step, and needs no memory of steps before:
 * whatever git takes for a repository below the directory was there before the
 * step, and what git believes of it is as it was; or it is new, and nothing in
 * it makes git run a program.
 *
 * Before: what git believes is bound on itself, read-only; what is missing is
 * made for the time of the command, so that it cannot make it: the kernel binds
 * nothing where there is no name, and forbids no names in a directory. The
 * repository's directory cannot be read-only as a whole, since git makes lock
 * files and temporary files beside everything that it writes; but it is bound
 * on itself, and so is each directory above it up to the root: a mount is not
 * renamed, and what lies in its place later is what lay there. A file with more
 * names gets a copy of its own, for another name is not read-only. What leads
 * there by a link is bound as well, and so are the files and directories that a
 * configuration names. A directory that cannot be looked into is read-only with
 * all that is in it: its owner could open it in the next step.
 *
 * After: everything is looked at again. What git would believe and was not
 * there is set aside under another name, or, a configuration, written anew
 * with the keys that are data. What was made is taken away, and so is a copy of
 * it that the command made with a whole repository.
 *
 * Not looked for: repositories deep in node_modules, below its packages; those
 * that a directory deeper than PROTECT_DEPTH holds, which is read-only when
 * it was there before. */
#ifndef SANDBOX_PROTECT_H
#define SANDBOX_PROTECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#include "base/err.h"

#define PROTECT_DEPTH  64   /* directories below the root: descriptors, stack */
#define PROTECT_MAX    8192 /* paths; more than a tree of clones that we saw */
#define PROTECT_POLICY ".agentsh" /* for what we may believe one day */

struct protect_path {
    char *path;    /* relative to the root */
    bool writable; /* only kept from being moved away */
};

/* A repository's directory, a submodule's, or a `.git` that is a file. */
struct protect_repo {
    dev_t dev;
    ino_t inode;
    unsigned had; /* a bit for each row of git_trusted_paths() that was there */
};

/* A file or directory that was made for the time of the run. Who holds its
 * lock relies on it, and it stays. */
struct protect_loan {
    int fd;
    char *path;
    const char *text; /* of the file, static; NULL: a directory */
};

/* What the person's own configuration names. */
struct protect_named {
    int use; /* enum git_config_use */
    char *value;
};

/* One writable directory. */
struct protect {
    char *root;
    int dir; /* the same as a descriptor: it may be moved meanwhile; -1 */
    const char *home;      /* for "~" in a configuration; NULL: there is none */
    struct timespec since; /* nothing of the command is older */
    struct protect_path *paths;
    struct protect_repo *repos;
    struct protect_loan *loans;
    char **absent; /* what a configuration names, and is not there */
    struct protect_named *named;
    size_t n_paths, n_repos, n_loans, n_absent, n_named;
    bool policy;    /* .agentsh was there, and is kept with all that is in it */
    bool no_policy; /* it was not, and is not to be */
    bool loose;     /* nothing is bound, and what is changed after `since` is
                       as new */
    struct protect_copy *copies; /* of what would be bound (protect_copy) */
    size_t n_copies;
    bool copied; /* all of it was */
    /* the soft limit of descriptors before it was raised for the loans; 0: it
     * was not */
    rlim_t files;
    /* a part of the names of what was set aside, made then; 0: nothing was */
    uint64_t aside;
    unsigned n_aside;
};

/* Looks below root, and lends what is missing. own_policy: .agentsh too, which
 * nobody believes yet: where it is missing, it is set aside afterwards. home
 * stays the caller's until protect_close. */
int protect_open(struct protect *p, const char *root, const char *home,
                 bool own_policy, struct err *e);

/* For where nothing can be bound: remembers what is to stay as it is, which
 * protect_close puts back. What is too much for that, or was moved with its
 * directory, is as new when it was changed: set aside at the end. */
void protect_copy(struct protect *p);

/* In the child, before the program: the limit of descriptors as it was. */
void protect_lower_files(const struct protect *p);

/* After the command: sets aside what would make git run what it left, and
 * takes away what was made for the time of the run. told, unless NULL, hears
 * PROTECT_ASIDE of each thing that is elsewhere or other now, and
 * PROTECT_BACK of what was changed and was put back,
 * PROTECT_NEW of each repository that is new, PROTECT_STAYS of one in which
 * something that git would believe could not be moved or removed. */
#define PROTECT_ASIDE "set aside"
#define PROTECT_BACK  "put back"
#define PROTECT_NEW   "new repository"
#define PROTECT_STAYS "could not be set aside" /* something in a repository */
typedef void protect_told(void *arg, const char *what, const char *root,
                          const char *path);
void protect_close(struct protect *p, protect_told *told, void *arg);

#endif
