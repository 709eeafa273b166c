/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.h - what opens doors, and what others will run.
 *
 * One list for the rules, a model's looks and the walls. Below a home
 * directory every name that begins with a dot is closed unless it is listed
 * as harmless: there are too many programs to list what each of them keeps.
 * Elsewhere a name says what it is (*.pem, .env, credentials.json). Only the
 * spelling of a path is looked at; paths are absolute and clean. Nothing here
 * can fail. */
#ifndef GUARD_PATH_SECRET_H
#define GUARD_PATH_SECRET_H

#include <stdbool.h>

#include "guard/risk/risk.h"

/* Places of keys, passwords and sessions below $HOME that nothing opens but a
 * setting that names them; whoever works in one works in no workspace. NULL at
 * the end. */
const char *const *secret_places(void);
/* The same for the whole machine: absolute paths. */
const char *const *secret_system_places(void);

/* What is seen below a home directory though its name begins with a dot, or
 * lies in such a directory: settings that hold no key, and programs. */
const char *const *secret_harmless(void);

/* Whether a path holds what opens doors: by a name in it, by a place above
 * wherever that lies, or because it is closed below somebody's home. Of
 * `where`, which may be NULL, counts whose home is ours, the workspace, which
 * is open however it is called, and what is named. */
bool secret_is_path(const char *path, const struct risk_place *where);

/* Whether it lies in a place of secrets, wherever that is. */
bool secret_is_in_place(const char *path);

/* Or a name in it says so (secret_file.h). */
bool secret_is_known(const char *path);

/* How much of what lies below a home directory is closed: `name` is a path
 * below it, without a slash in front. */
enum secret_share { SECRET_NONE, SECRET_PART, SECRET_ALL };
enum secret_share secret_share_of(const char *name);

/* What follows a home directory, ours or another user's, in a path below it;
 * NULL: it is none. Borrowed. */
const char *secret_behind_home(const char *path, const char *home);

/* Whether every confined profile hides it: what is secret below home, which
 * may be NULL. */
bool secret_is_key_of(const char *path, const char *home);

/* Of the secrets the files that no tool touches, by name or by place: *.pem,
 * *.key, .env*, id_rsa*, anything in .ssh, .gnupg, .aws or another of the
 * places. The rest (shadow, credentials) is asked about. */
bool secret_is_key(const char *path);

/* Whether some program may run what is written there, or take it for its
 * settings: what begins with a dot, or lies in such a directory (.bashrc,
 * .git/hooks/, .vim/plugin/, …), and authorized_keys. */
bool secret_runs_later(const char *path);

/* What the person opens below home: each word of their own text that is a
 * path below home or dir, or stands below home under that name (.npmrc), and
 * each path of `list`, with colons between, as the settings have it. What is
 * known as a place of keys is asked about all the same, and what holds more
 * than one program's files is not opened whole. Below dir, the workspace, it
 * is each file that is a secret by its name: the walls leave it open, and the
 * rules ask about it. text and list may be NULL.
 * A list for risk_place.named, NULL at its end, that secret_named_free frees;
 * NULL without memory, or when there is none. */
char **secret_named_in(const char *text, const char *list, const char *home,
                       const char *dir);
void secret_named_free(char **named); /* accepts NULL */

#endif
