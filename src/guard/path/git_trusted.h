/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_trusted.h - the one table of the files in a repository that git trusts.
 *
 * Git runs programs that files in a repository name. A confined command that
 * writes in a workspace must not leave such a file there, because a later git
 * runs outside the sandbox. The launcher keeps these paths as they are
 * (sandbox/launch), a preview does not copy them back (sandbox/preview), and
 * the guard does not count a write to them as one to the workspace
 * (path_table.h): all three use this table, which follows
 * gitrepository-layout(5) and git-config(1).
 *
 * Git treats everything else as data: objects, refs, logs, the index, HEAD,
 * info/attributes (it selects among what the configuration names),
 * objects/info/alternates (objects are found by their hash), .gitmodules (git
 * takes no command from it), .gitattributes. */
#ifndef GUARD_PATH_GIT_TRUSTED_H
#define GUARD_PATH_GIT_TRUSTED_H

#include <stdbool.h>
#include <stddef.h>

/* What git uses a path for. */
enum git_trusted_kind {
    GIT_HOOKS,        /* a directory of programs */
    GIT_CONFIG,       /* a file whose keys name programs and other files */
    GIT_COMMON,       /* a file that says where the configuration is */
    GIT_STEPS,        /* a list of steps, some of which run commands */
    GIT_REPOSITORIES, /* a directory of further repositories */
};

/* What the launcher does with a missing path before a command may write beside
 * it. */
enum git_trusted_missing {
    GIT_PLACEHOLDER, /* creates it while the command runs, with the row's text
                      */
    GIT_PLACEHOLDER_MAIN, /* likewise; a linked working tree has none of its own
                           */
    GIT_UNTOUCHED, /* nothing: git creates it itself, and a new one is checked
                    */
};

struct git_trusted {
    const char *name; /* below the repository's directory */
    enum git_trusted_kind kind;
    enum git_trusted_missing missing;
    const char
        *text; /* a text that changes nothing for git; NULL: a directory */
};

/* The table; its last row has no name. */
const struct git_trusted *git_trusted_paths(void);

#define GIT_DIR            ".git"
#define GIT_COMMONDIR_SELF ".\n"     /* a commondir that changes nothing */
#define GIT_COMMONDIR_MAIN "../..\n" /* of a linked working tree */
#define GIT_WORKTREES      "worktrees"
#define GIT_SAMPLE_SUFFIX  ".sample" /* git runs no hook with this suffix */

/* Whether a path, relative or not, is or lies in a row of the table, in a
 * directory `.git` or in a repository nested in one. Case is ignored, because
 * some file systems ignore it. The commondir of a linked working tree does not
 * count: git creates one with each tree, and a new one is checked. */
bool git_trusted_holds(const char *path);

/* The same for a path below a repository's directory, whatever that directory's
 * name is: "hooks/pre-commit". */
bool git_trusted_is_below(const char *below);

/* Git recognises a repository by the names in its directory. git_trusted_entry
 * returns the bit of a name, and git_trusted_is_repository decides on the bits
 * of all names. */
unsigned git_trusted_entry(const char *name);
bool git_trusted_is_repository(unsigned marks);

#endif
