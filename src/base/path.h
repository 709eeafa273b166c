/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path.h - names of files: joining them, and where ours live. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"

/* The places of agentsh; the XDG variables win when they are absolute. */
enum path_place {
    PATH_CONFIG,  /* $XDG_CONFIG_HOME/agentsh, ~/.config/agentsh */
    PATH_STATE,   /* $XDG_STATE_HOME/agentsh, ~/.local/state/agentsh */
    PATH_CACHE,   /* $XDG_CACHE_HOME/agentsh, ~/.cache/agentsh */
    PATH_DATA,    /* $XDG_DATA_HOME/agentsh, ~/.local/share/agentsh */
    PATH_RUNTIME, /* $XDG_RUNTIME_DIR/agentsh, /tmp/agentsh-UID */
};

/* The directory of a place, or `name` inside it when name is not NULL. A
 * string that the caller frees. Nothing is made on disk. */
char *path_of(enum path_place place, const char *name, struct err *e);

/* "dir/name"; the caller frees it; NULL without memory. */
char *path_join(const char *dir, const char *name);

/* The file beside it whose name goes on with suffix ("journal.db-wal"); the
 * caller frees it; NULL without memory. */
char *path_beside(const char *path, const char *suffix);

/* $HOME, else the password file's; NULL when there is neither. Borrowed. */
const char *path_home(void);

/* The password file's, whatever $HOME says. Valid until the next call. */
const char *path_own_home(void);

/* The part after the last slash; "" when path ends in one. Borrowed. */
const char *path_base(const char *path);

/* The next directory of a list that is one as PATH is, as bash and execvp(3)
 * read it: an empty one, in front, between or at the end, is ".", the current
 * directory. *at begins at the list (NULL: none), and is NULL after the last;
 * *dir points into it, or to ".". Every reader of PATH asks here. */
bool path_next_dir(const char **at, const char **dir, size_t *n);

/* Where a shell in cwd would execute `name`, which holds no slash, from: the
 * first executable regular file in dirs. A relative directory begins at cwd;
 * where that is NULL, not known, it is taken to hold the program: "./name".
 * False: none. */
bool path_find_in(const char *dirs, const char *cwd, const char *name,
                  char out[PATH_MAX]);

/* Where `name` would be executed from: itself when it holds a slash, else the
 * first executable regular file on PATH. The caller frees it; NULL: none. */
char *path_find_program(const char *name);

/* A file of libexec/agentsh: beside the running program in a build tree, else
 * in the installed place. The caller frees it. */
char *path_libexec(const char *name, struct err *e);

/* "~", "~/x" with the home directory in front; other paths as they are. The
 * caller frees it. */
char *path_expand_home(const char *path);

/* Takes `.`, `..`, doubled and trailing slashes out of an absolute path, by
 * its spelling alone: a link on the way is not looked at. */
void path_clean(char *path);

/* Whether path is dir or lies below it; both absolute and clean, but that dir
 * may end in slashes. Everything lies below "/". */
bool path_is_below(const char *path, const char *dir);

/* Whether the components of part (".git/hooks") stand in path, one after
 * another, wherever. */
bool path_holds(const char *path, const char *part);

/* The path as a person writes it: "~/x" below home, which may be NULL. */
const char *path_short(const char *path, const char *home, char out[PATH_MAX]);

#endif
