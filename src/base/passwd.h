/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passwd.h - finds the users of this system, from any thread.
 *
 * getpwnam(3) and its kin return memory that all threads share, and several
 * sessions are judged at once. */
#ifndef BASE_PASSWD_H
#define BASE_PASSWD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define PASSWD_NAME_SIZE 256 /* LOGIN_NAME_MAX of Linux */

struct passwd_user {
    uid_t uid;
    char name[PASSWD_NAME_SIZE];
    char home[PATH_MAX];
};

/* False, and *out is not set: there is none, or nobody can tell. */
bool passwd_find_name(const char *name, struct passwd_user *out);
bool passwd_find_uid(uid_t uid, struct passwd_user *out);

#endif
