/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_config.h - knows which keys of git's configuration run something.
 *
 * Git has some hundred keys that name a program, another file to read or a
 * place to write, and new ones appear. So the table lists the keys that are
 * plain data, and every other key counts as one that names a program: a key
 * that is missing from the table costs convenience, not safety. The parser
 * follows the section "Syntax" of git-config(1). */
#ifndef GUARD_PATH_GIT_CONFIG_H
#define GUARD_PATH_GIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* No configuration is that long; what lies beyond is not data. */
#define GIT_CONFIG_MAX ((size_t)256 * 1024)

/* Files included in one another, as in git. */
#define GIT_CONFIG_INCLUDES_MAX 10

enum git_config_use {
    GIT_DATA,
    GIT_COMMAND,   /* a command line, or a key that is not known */
    GIT_FILE,      /* another configuration file */
    GIT_DIRECTORY, /* of hooks, or of templates with hooks */
    GIT_TREE,      /* the working tree that git writes to */
};

/* Called for one key. key: "section.name" or "section.subsection.name", with
 * section and name in lower case. value: "true" when the file has none. A
 * result other than 0 ends the reading. */
typedef int git_config_fn(void *arg, const char *key, const char *value);

/* Calls fn for each key. Returns fn's last result, or 0; -1: the text is no
 * configuration, and git would read none of it. */
int git_config_read(const char *text, size_t n, git_config_fn *fn, void *arg);

/* What git does with a key. A value that gives a key of data another meaning,
 * such as a remote's address with "::" in it, makes it GIT_COMMAND. */
enum git_config_use git_config_use_of(const char *key, const char *value);

/* Whether the whole text is data, written in a form that leaves no doubt. A
 * working tree is data when it is relative to the repository's directory and
 * lies at most `depth` directories above it. */
bool git_config_is_data(const char *text, size_t n, unsigned depth);

/* Writes the keys that are data in a new form, and omits the others. */
int git_config_keep_data(const char *text, size_t n, unsigned depth,
                         struct buf *out);

#endif
