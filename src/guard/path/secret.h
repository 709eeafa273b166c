/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.h - knows which paths hold secrets, and which run later.
 *
 * The rules, the model's tools and the sandbox share this list. Below a home
 * directory, every name that begins with a dot is secret unless it is listed as
 * harmless: too many programs keep files there to list them all. Elsewhere a
 * name decides (*.pem, .env, credentials.json; base/secret_file.h). Paths are
 * absolute and clean, and only their spelling counts. Nothing here can fail. */
#ifndef GUARD_PATH_SECRET_H
#define GUARD_PATH_SECRET_H

#include <stdbool.h>

#include "guard/path/path_context.h"

/* Whether a path is secret: by its name, by a directory above it, or because it
 * lies in the hidden part of a home directory. where may be NULL; it tells
 * which home is this user's, which workspace is visible whatever its name is,
 * and which paths the person named. */
bool secret_is_path(const char *path, const struct path_context *where);

/* How much of `name` and below is secret: a path below a home directory,
 * without a slash in front. */
enum secret_share { SECRET_NONE, SECRET_PART, SECRET_ALL };
enum secret_share secret_share_of(const char *name);

/* The part of a path behind a home directory, this user's or another's;
 * borrowed. NULL: it lies in no home directory. */
const char *secret_path_in_home(const char *path, const char *home);

/* Whether every confined profile hides it: it is secret and below home. home
 * may be NULL. */
bool secret_is_hidden(const char *path, const char *home);

/* Whether a secret is one that no tool may touch: *.pem, *.key, .env*, id_rsa*,
 * and anything in .ssh, .gnupg, .aws and the like. Other secrets (shadow,
 * credentials) are asked about. */
bool secret_is_key(const char *path);

/* Whether some program may run the file later, or take settings from it: a
 * component begins with a dot (.bashrc, .git/hooks/, .vim/plugin/), or the file
 * is authorized_keys. */
bool secret_runs_later(const char *path);

/* Collects the paths that the person opens: each word of `text` that is a path
 * below home or dir, or that exists below home under that name (.npmrc), and
 * each path of `list`, separated by colons, as the settings have it. A known
 * place of keys is asked about nevertheless, and a directory that holds the
 * files of several programs is not opened whole. Below dir, the workspace, only
 * files that are secret by name are taken: the sandbox leaves these visible,
 * and the rules ask about them. text and list may be NULL. The result is for
 * path_context.named, ends with NULL, and is released with secret_named_free.
 * NULL: no path, or no memory. */
char **secret_named_in(const char *text, const char *list, const char *home,
                       const char *dir);
void secret_named_free(char **named); /* accepts NULL */

#endif
