/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_paths.h - the lists of paths of a site; for site.c alone. */
#ifndef SANDBOX_SITE_PATHS_H
#define SANDBOX_SITE_PATHS_H

#include "sandbox/site.h"

/* path is one of dirs, or lies below one. */
bool site_is_in(const char *const *dirs, const char *path);

/* Gives text to s; NULL is an error. */
const char *site_keep(struct site *s, char *text, struct err *e);

/* Appends a path to a list of s's spec; one that is there already counts once.
 * Takes text; NULL is an error. */
int site_append(struct site *s, const char **list, char *text, struct err *e);

/* Which places of secrets are there below the home directory: s->secrets, and
 * what each of them is. */
int site_find_secrets(struct site *s, struct err *e);

/* Whether a link on the way leads a path that is to be seen or written to
 * another place than its name says: into a place of secrets, or, where the
 * link lies in the workspace or another writable directory, out of that. A
 * command that ran there before may have made it. Or whether any link is on its
 * way in /tmp, where everybody makes them. Asked when the workspace,
 * the writable directories and s->secrets are known. */
bool site_is_led(const struct site *s, const char *path);

/* Whether a path is missing, and lies where a command may make it. */
bool site_could_make(const struct site *s, const char *path);

/* ERR_DENIED: one of the paths is. */
int site_check_links(const struct site *s, const char *const *paths,
                     struct err *e);

/* Whether just this path is one of them. */
bool site_is_named(const char *const *paths, const char *path);

/* Appends a path to what is hidden, unless it is not seen anyway, or somebody
 * named just it. Takes path; NULL is an error. */
int site_append_secret(struct site *s, char *path, struct err *e);

/* What is closed below home directories: the one that is set, `own` of this
 * user (NULL: not known), and others'. Comes when the lists of what is seen are
 * complete. */
int site_append_closed(struct site *s, const char *own, struct err *e);

/* What is harmless below directories that are closed but for that: where the
 * home directory is shown, these places are put back. */
int site_append_harmless(struct site *s, struct err *e);

/* What a setting lists and is there, "~" being the home directory. */
int site_append_setting(struct site *s, const char **list,
                        const struct config *c, enum config_key key,
                        struct err *e);

/* What the person opened, where it is there and what it is called. */
int site_append_named(struct site *s, const char *const *named, struct err *e);

/* The directories of PATH below the home directory. */
int site_append_path(struct site *s, struct err *e);

/* What would be seen and is a secret: the last list, since it looks at the
 * others. */
int site_append_secrets(struct site *s, const struct config *c, struct err *e);

#endif
