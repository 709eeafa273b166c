/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path.h - file names: joins them, and finds the directories and programs of
 * agentsh, the home directory, and programs on PATH. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* As many links as the kernel follows, path_resolution(7). */
#define PATH_LINKS_MAX 40

/* The directories of agentsh. An XDG variable counts when it is absolute. */
enum path_place {
    PATH_CONFIG,  /* $XDG_CONFIG_HOME/agentsh, ~/.config/agentsh */
    PATH_STATE,   /* $XDG_STATE_HOME/agentsh, ~/.local/state/agentsh */
    PATH_CACHE,   /* $XDG_CACHE_HOME/agentsh, ~/.cache/agentsh */
    PATH_DATA,    /* $XDG_DATA_HOME/agentsh, ~/.local/share/agentsh */
    PATH_RUNTIME, /* $XDG_RUNTIME_DIR/agentsh, /tmp/agentsh-UID */
};

/* The directory, or the path of `name` inside it when name is not NULL. The
 * caller frees the string. Nothing is created on disk. */
char *path_of(enum path_place place, const char *name, struct err *e);

/* The variable that moves the directory, "XDG_CONFIG_HOME"; and path_of for the
 * values of that variable and of HOME, which are not this process's (seat.h).
 * NULL: it is not set. */
const char *path_variable(enum path_place place);
char *path_of_variables(enum path_place place, const char *base,
                        const char *home, const char *name, struct err *e);

/* "." or "..", which every directory has. */
bool path_is_dot(const char *name);

/* "dir/name"; the caller frees it; NULL without memory. */
char *path_join(const char *dir, const char *name);

/* path with a suffix ("journal.db-wal"); the caller frees it; NULL without
 * memory. */
char *path_beside(const char *path, const char *suffix);

/* The home directory: $HOME, else that of /etc/passwd; NULL: neither. The
 * caller frees it, here and below. */
char *path_home(void);

/* The same for a value of HOME; NULL: it is not set. */
char *path_home_of(const char *variable);

/* That of /etc/passwd, whatever $HOME says. */
char *path_passwd_home(void);

/* Makes a directory and its missing parents, each with mode. Existing ones are
 * fine. The home directory and those above it are never made: ERR_CONFIG where
 * one is missing. */
int path_make_dirs(const char *path, mode_t mode, struct err *e);

/* The same for a home directory that is not this process's; NULL: none. */
int path_make_dirs_apart(const char *path, const char *home, mode_t mode,
                         struct err *e);

/* The part after the last slash; "" when path ends in a slash. Borrowed. */
const char *path_base(const char *path);

/* Iterates over the directories of a list such as PATH, as bash and execvp(3)
 * read it: an empty element, at the front, between or at the end, is the
 * current directory, ".". *at begins at the list (NULL: no list) and is NULL
 * after the last element; *dir points into the list, n bytes, or to ".". Every
 * reader of PATH uses this. False: no further one. */
bool path_next_dir(const char **at, const char **dir, size_t *n);

/* Finds the file that a shell in cwd would execute for `name`, which has no
 * slash: the first executable regular file in dirs. A relative directory is
 * below cwd; where cwd is unknown (NULL) a relative directory is assumed to
 * hold the program: "./name". False: there is none. */
bool path_find_in(const char *dirs, const char *cwd, const char *name,
                  char out[PATH_MAX]);

/* Whether it is a regular file that this process may execute. */
bool path_is_program(const char *path);

/* The file that would be executed for `name`: itself when it has a slash, else
 * the first executable regular file on PATH. The caller frees it; NULL: none.
 */
char *path_find_program(const char *name);

/* path_bash, or the first bash on PATH where there is none. The caller frees
 * it; NULL: none. */
char *path_find_bash(void);

/* The path of a file of libexec/agentsh: beside the running program in a build
 * tree, else where it is installed. The caller frees it. ERR_NOT_FOUND. */
char *path_libexec(const char *name, struct err *e);

/* The same for a program of bin that another one starts. */
char *path_bin(const char *name, struct err *e);

/* The path of a file of share/agentsh, found in the same way. The caller frees
 * it; NULL: there is none. */
char *path_share(const char *name);

/* Replaces the ~ of "~" and "~/x" by a home directory (NULL: none); other paths
 * stay. The caller frees it; NULL without memory. */
char *path_expand_below(const char *home, const char *path);

/* Removes `.`, `..`, double and trailing slashes from an absolute path, in
 * place and by its spelling alone: symbolic links are not resolved. */
void path_clean(char *path);

/* Whether path is dir or below it. Both are absolute and clean, except that dir
 * may end in slashes. Every path is below "/". */
bool path_is_below(const char *path, const char *dir);

/* The part of path behind dir and the slashes after it: "" for dir itself.
 * NULL: it is not dir or below it (path_is_below). Borrowed from path. */
const char *path_behind(const char *path, const char *dir);

/* Whether path contains the components of part (".git/hooks") in a row, at any
 * place. */
bool path_contains(const char *path, const char *part);

/* The path for display: "~/x" below home, which may be NULL. Returns out. */
const char *path_short(const char *path, const char *home, char out[PATH_MAX]);

/* The bash that runs command lines; NULL: there is none here. */
const char *path_bash(void);

#endif
