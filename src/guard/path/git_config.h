/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_config.h - which keys of a git configuration make git run something.
 *
 * Git has some hundred keys that name a program, a file to read further or a
 * place to write, and gets new ones. So the table has those that are data,
 * and what is not in it is believed to name a program: one that is missing in
 * the table costs a key, and not what the table is for. Parsed after the
 * section "Syntax" of git-config(1). */
#ifndef GUARD_PATH_GIT_CONFIG_H
#define GUARD_PATH_GIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Longer than any that people have; what is behind it is not data. */
#define GIT_CONFIG_MAX ((size_t)256 * 1024)

enum git_config_use {
    GIT_DATA,
    GIT_COMMAND,   /* a command line, or nobody knows what */
    GIT_FILE,      /* more configuration */
    GIT_DIRECTORY, /* of hooks, or of templates with hooks */
    GIT_TREE,      /* where git checks files out */
};

/* key: "section.name" or "section.subsection.name", with the section and the
 * name in small letters; value: "true" where there is none. Not 0 ends the
 * reading. */
typedef int git_config_fn(void *arg, const char *key, const char *value);

/* Calls fn for each. Returns what fn did, or 0; -1 where the text is no
 * configuration, and git would read none of it. */
int git_config_read(const char *text, size_t n, git_config_fn *fn, void *arg);

/* What git makes of it. A value that makes a key of data another thing, like
 * a remote's address with "::" in it, is GIT_COMMAND. */
enum git_config_use git_config_use_of(const char *key, const char *value);

/* Whether all of it is data, spelled in a way that leaves no doubt. A working
 * tree is data when it is named from the repository's directory and lies at
 * most `depth` directories above that. */
bool git_config_is_data(const char *text, size_t n, unsigned depth);

/* Writes anew what of it is data, and leaves the rest out. */
int git_config_keep_data(const char *text, size_t n, unsigned depth,
                         struct buf *out);

#endif
