/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passwd.c - finds the users of this system, from any thread. */
#include "base/passwd.h"

#include <pwd.h>
#include <string.h>

#define ENTRY_BYTES (16u << 10) /* of all texts of one user */

static bool
copy_user(const struct passwd *pw, struct passwd_user *out)
{
    size_t name = pw ? strlen(pw->pw_name) + 1 : 0;
    size_t home = pw ? strlen(pw->pw_dir) + 1 : 0;

    if (!pw || name > sizeof(out->name) || home > sizeof(out->home))
        return false;
    out->uid = pw->pw_uid;
    memcpy(out->name, pw->pw_name, name);
    memcpy(out->home, pw->pw_dir, home);
    return true;
}

bool
passwd_find_name(const char *name, struct passwd_user *out)
{
    char texts[ENTRY_BYTES];
    struct passwd entry, *found = NULL;

    return getpwnam_r(name, &entry, texts, sizeof(texts), &found) == 0 &&
           copy_user(found, out);
}

bool
passwd_find_uid(uid_t uid, struct passwd_user *out)
{
    char texts[ENTRY_BYTES];
    struct passwd entry, *found = NULL;

    return getpwuid_r(uid, &entry, texts, sizeof(texts), &found) == 0 &&
           copy_user(found, out);
}
