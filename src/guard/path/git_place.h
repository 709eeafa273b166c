/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_place.h - what of a repository git believes: the one table of it.
 *
 * Git runs programs that files in a repository name. A command that may write
 * in a workspace must not leave such a file there, for who calls git later
 * stands outside. The launcher keeps these places as they are (protect.h), a
 * preview does not carry them over (changes.h), and the guard says that a
 * write there is not the workspace's (path_table.h): all of them go by this
 * table, after gitrepository-layout(5) and git-config(1).
 *
 * What is not in it git reads as data: objects, refs, logs, the index, HEAD,
 * info/attributes (it chooses among what the configuration names),
 * objects/info/alternates (objects are found by their hash), .gitmodules (git
 * takes no command from there), .gitattributes. */
#ifndef GUARD_PATH_GIT_PLACE_H
#define GUARD_PATH_GIT_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* What git takes a place for. */
enum git_place_kind {
    GIT_HOOKS,        /* a directory of programs */
    GIT_CONFIG,       /* a file whose keys name programs and other files */
    GIT_COMMON,       /* a file that says where the configuration is */
    GIT_STEPS,        /* a file of steps, of which some run commands */
    GIT_REPOSITORIES, /* a directory of further repositories */
};

/* What is done where it is missing, before a command may write beside it. */
enum git_place_missing {
    GIT_LENT,      /* made for the time of the command, with the row's text */
    GIT_LENT_MAIN, /* the same; a linked working tree has none of its own */
    GIT_LEFT, /* nothing: git makes it itself, and what is new is checked */
};

struct git_place {
    const char *name; /* below the repository's directory */
    enum git_place_kind kind;
    enum git_place_missing missing;
    const char *text; /* that changes nothing for git; NULL: a directory */
};

/* The table; a row without a name is the last. */
const struct git_place *git_places(void);

#define GIT_DIR       ".git"
#define GIT_HERE      ".\n" /* the text of a commondir that changes nothing */
#define GIT_ABOVE     "../..\n" /* of the one that a linked working tree has */
#define GIT_WORKTREES "worktrees"

/* Whether a path, relative or not, lies in or is a place of the table, in a
 * directory `.git` or in one of the repositories in it. Without regard to
 * case: a file system may have none. The commondir of a linked working tree is
 * none: git makes one with each, and a new one is checked. */
bool git_place_holds(const char *path);

/* The same of a path below the directory of a repository, whatever that is
 * called: "hooks/pre-commit". */
bool git_place_is_inside(const char *below);

/* What makes git take a directory for a repository, by the names of its
 * entries: each is a bit, and git_place_is_repository judges them. */
unsigned git_place_mark(const char *name);
bool git_place_is_repository(unsigned marks);

#endif
