/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect.h - what of a writable directory stays as it is.
 *
 * A repository's hooks and configuration name programs that git will run
 * later, outside: they are read-only, and so is .agentsh, which says what we
 * may do. What is missing is made, empty, so that the command cannot make it.
 * What git would read before the configuration cannot be kept from being
 * made; it is looked for at the end. */
#ifndef SANDBOX_PROTECT_H
#define SANDBOX_PROTECT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

#define PROTECT_DEPTH 4    /* directories below the root */
#define PROTECT_MAX   8192 /* paths; more than any tree of clones that we saw */

struct protect_path {
    char *path;    /* relative to the root; outer ones stand before inner */
    bool writable; /* only kept from being moved away */
};

/* A repository's directory, a submodule's, or a `.git` that is a file. */
struct protect_repo {
    ino_t inode;
    bool shared; /* it says that its configuration is elsewhere */
};

/* One writable directory. */
struct protect {
    char *root;
    int dir; /* the same as a descriptor: it may be moved meanwhile; -1 */
    struct protect_path *paths;
    struct protect_repo *repos;
    size_t n_paths, n_repos;
    int policy;       /* .agentsh, with a lock that says it is relied on */
    bool policy_made; /* by us, for the time of the run */
};

/* Looks below root, and makes what is missing. own_policy: .agentsh too. */
int protect_open(struct protect *p, const char *root, bool own_policy,
                 struct err *e);

/* After the command: takes away what would lead git elsewhere, and what was
 * made for the time of the run. told, unless NULL, hears of what was taken
 * away and of repositories that are new: their hooks were the command's.
 * heir: a socket to who takes .agentsh away later, since the next run may want
 * it again; -1: nobody is. */
typedef void protect_told(void *arg, const char *what, const char *root,
                          const char *path);
void protect_close(struct protect *p, protect_told *told, void *arg, int heir);

/* Who is: holds the last one. To take it away costs more than all mounts. */
struct protect_heir {
    int dir, policy; /* -1: none */
};
void protect_inherit(struct protect_heir *h, int line);
void protect_release(struct protect_heir *h); /* takes it away */
void protect_forget(struct protect_heir *h);  /* in a copy of the heir */

#endif
