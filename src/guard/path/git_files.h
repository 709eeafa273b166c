/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_files.h - knows where git looks for its files.
 *
 * Beside a repository's own configuration, git reads the system's and the
 * person's (git-config(1), "FILES"), and patterns of ignored files
 * (gitignore(5)). A `.git` that is a file leads to a repository elsewhere
 * (gitrepository-layout(5)). Nothing here can fail. */
#ifndef GUARD_PATH_GIT_FILES_H
#define GUARD_PATH_GIT_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define GIT_FILES_SYSTEM (1u << 0) /* the configuration of the machine */
#define GIT_FILES_PERSON (1u << 1) /* those of the person */
/* The person's patterns of ignored files. */
#define GIT_FILES_IGNORE (1u << 2)

/* Where the person's files are. Both are borrowed; NULL: not known. */
struct git_person {
    const char *home;        /* the home directory, absolute */
    const char *config_home; /* the value of XDG_CONFIG_HOME */
};

/* Iterates over the files of these kinds, whether they exist or not; *at begins
 * at 0. Those below $XDG_CONFIG_HOME come in addition to those below ~/.config,
 * since git may run later without that variable. A variable that is no absolute
 * path is ignored. False: the end. */
bool git_files_next(unsigned kinds, const struct git_person *who, size_t *at,
                    char out[PATH_MAX]);

/* The repository that the text of a `.git` file leads to ("gitdir: DIR"), as it
 * is written there: a relative path begins at the directory of the file. The
 * text is cut at the end of its line. NULL: it leads nowhere. */
const char *git_files_link(char *text);

#endif
