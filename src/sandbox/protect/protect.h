/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect.h - keeps a command from changing what git believes.
 *
 * The folder protect/ does this for the launcher and for previews. It must not
 * know commands, rules or profiles: it gets a directory. What can fail: memory,
 * more than PROTECT_MAX paths, a file that cannot be copied; then nothing may
 * run (ERR_SANDBOX).
 *
 * A person who later calls git in the workspace does so outside the sandbox,
 * and git runs programs that files of a repository name
 * (guard/path/git_trusted.h). So one rule holds after every step, and needs no
 * memory of earlier steps: what git takes for a repository below the directory
 * either existed before the step, and what git believes of it is unchanged; or
 * it is new, and nothing in it makes git run a program.
 *
 * Before the command: what git believes is bound on itself, read-only. What is
 * missing is created for the time of the command, so that the command cannot
 * create it: the kernel binds nothing where there is no name, and cannot forbid
 * a name in a directory. A repository's directory cannot be read-only as a
 * whole, since git makes lock files and temporary files beside everything that
 * it writes. But it is bound on itself, and so is each directory above it up to
 * the root: a mount point cannot be renamed, so what lies at its path later is
 * what lay there before. A file with several names is replaced by a copy,
 * because its other names are not read-only. The targets of links are bound
 * too, and the files and directories that a configuration names. A directory
 * that cannot be searched is read-only with everything in it: its owner could
 * open it in the next step.
 *
 * After the command: everything is searched again. What git would believe and
 * did not exist before is set aside under another name; a new configuration is
 * rewritten with only the keys that are data. What was created is removed, and
 * so is a copy of it that the command made together with a whole repository.
 *
 * Not searched: repositories deep in node_modules, below its packages; and
 * those in a directory deeper than PROTECT_DEPTH, which is read-only if it
 * existed before. */
#ifndef SANDBOX_PROTECT_PROTECT_H
#define SANDBOX_PROTECT_PROTECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#include "base/err.h"
#include "guard/path/git_files.h"

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

/* A file or directory that exists only for the time of the run. While another
 * launcher holds its lock, it stays. */
struct protect_placeholder {
    int fd;
    char *path;
    const char *text; /* of the file, static; NULL: a directory */
};

/* A path that the person's own configuration of git names. */
struct protect_named {
    int use; /* enum git_config_use */
    char *value;
};

/* One writable directory. */
struct protect {
    char *root;
    int dir; /* a descriptor of it, which may be renamed meanwhile; -1 */
    struct git_person person; /* whose configuration git reads */
    struct timespec since;    /* nothing of the command is older */
    struct protect_path *paths;
    struct protect_repo *repos;
    struct protect_placeholder *placeholders;
    char **absent; /* what a configuration names, and is not there */
    struct protect_named *named;
    size_t n_paths, n_repos, n_placeholders, n_absent, n_named;
    bool policy;    /* .agentsh was there, and is kept with all that is in it */
    bool no_policy; /* it was not, and is not to be */
    bool loose;     /* nothing is bound, and what is changed after `since` is
                       as new */
    struct protect_copy *copies; /* of what would be bound (protect_copy) */
    size_t n_copies;
    bool copied; /* all of it was */
    /* the soft limit of descriptors before it was raised for placeholders; 0:
     * it was not */
    rlim_t files;
    /* a part of the names of what was set aside, made then; 0: nothing was */
    uint64_t aside;
    unsigned n_aside;
};

/* Searches below root and creates what is missing. own_policy: protects
 * .agentsh too, which nothing reads yet; if it is missing now, a new one is set
 * aside afterwards. What `who` names (NULL: nothing is known) is borrowed until
 * protect_close, which the caller calls also after an error. */
int protect_open(struct protect *p, const char *root,
                 const struct git_person *who, bool own_policy, struct err *e);

/* For a sandbox in which nothing can be bound: copies what shall stay as it is,
 * and protect_close puts it back. What is too large for that, or was moved with
 * its directory, counts as new if it was changed, and is set aside. */
void protect_copy(struct protect *p);

/* In the child, before it executes the program: restores the limit of
 * descriptors. */
void protect_lower_fd_limit(const struct protect *p);

/* After the command: sets aside what would make git run programs that the
 * command left, removes what was created for the time of the run, and frees p.
 * Calls report, unless NULL, with one of these texts for each path. */
#define PROTECT_ASIDE "set aside" /* it was renamed or rewritten */
#define PROTECT_BACK  "put back"  /* it was changed, and was restored */
#define PROTECT_NEW   "new repository"
#define PROTECT_STAYS "could not be set aside" /* something in a repository */
typedef void protect_report_fn(void *arg, const char *what, const char *root,
                               const char *path);
void protect_close(struct protect *p, protect_report_fn *report, void *arg);

#endif
