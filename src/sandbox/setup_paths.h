/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_paths.h - the lists of paths in a sandbox's setup, for setup.c. */
#ifndef SANDBOX_SETUP_PATHS_H
#define SANDBOX_SETUP_PATHS_H

#include "sandbox/setup.h"

/* Gives text to s, which frees it. NULL with ERR_NOMEM: text was NULL, or
 * there is no room; text is freed. */
const char *setup_keep_text(struct sandbox_setup *s, char *text, struct err *e);

/* Appends a path to one of the spec's lists, unless it is in it already. Takes
 * ownership of text; text NULL is ERR_NOMEM. */
int setup_append(struct sandbox_setup *s, const char **list, char *text,
                 struct err *e);

/* Finds which places of secrets exist below the home directory: fills in
 * s->secrets and s->secrets_real. */
int setup_find_secrets(struct sandbox_setup *s, struct err *e);

/* Returns whether a symbolic link leads a path that is to be seen or written
 * elsewhere than its name says: into a place of secrets; or, where the link
 * lies in the workspace or another writable directory, out of that, since a
 * command that ran there before may have made it; or anywhere, where the link
 * lies in /tmp, since everybody can make one there. The workspace, the writable
 * directories and s->secrets must be known. */
bool setup_is_redirected(const struct sandbox_setup *s, const char *path);

/* Returns whether a path is missing and lies where the command may create
 * it. */
bool setup_could_be_created(const struct sandbox_setup *s, const char *path);

/* ERR_DENIED: one of the paths is redirected. */
int setup_check_links(const struct sandbox_setup *s, const char *const *paths,
                      struct err *e);

/* Appends a path to what is hidden, unless the child does not see it anyway,
 * or somebody named exactly this path. Takes ownership of path; path NULL is
 * ERR_NOMEM. */
int setup_append_secret(struct sandbox_setup *s, char *path, struct err *e);

/* Shows again the harmless paths in directories of the home directory that
 * are otherwise hidden. */
int setup_append_harmless(struct sandbox_setup *s, struct err *e);

/* Appends the paths of a setting that exist; "~" is the home directory. */
int setup_append_setting(struct sandbox_setup *s, const char **list,
                         const struct config *c, enum config_key key,
                         struct err *e);

/* Makes readable what the person opened, where it exists and is not
 * redirected. */
int setup_append_named(struct sandbox_setup *s, const char *const *named,
                       struct err *e);

/* Makes readable the directories of PATH below the home directory. */
int setup_append_search_path(struct sandbox_setup *s, struct err *e);

/* Hides every secret that the child would see. Comes last, since it reads the
 * other lists. */
int setup_append_secrets(struct sandbox_setup *s, const struct config *c,
                         struct err *e);

#endif
