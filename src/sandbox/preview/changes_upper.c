/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_upper.c - what overlayfs noted beside the files of upper. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "sandbox/preview/changes_in.h"

#define MODE_XATTR "user.agentsh.mode" /* before it was made readable */
#define XATTR_MAX  32

/* The value of an attribute, "" when there is none. */
static bool
get_xattr(const char *path, const char *name, char value[XATTR_MAX],
          bool follow)
{
    ssize_t n = follow ? getxattr(path, name, value, XATTR_MAX - 1)
                       : lgetxattr(path, name, value, XATTR_MAX - 1);

    value[n > 0 ? n : 0] = '\0';
    return n >= 0;
}

static void
name_entry(const struct beneath_entry *x, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "/proc/self/fd/%d/%s", x->dir, x->name);
}

bool
changes_is_opaque(const struct beneath_entry *x)
{
    char path[PATH_MAX], value[XATTR_MAX];

    name_entry(x, path);
    return get_xattr(path, "user.overlay.opaque", value, false) &&
           strcmp(value, "y") == 0;
}

bool
changes_is_copy(const struct beneath_entry *x)
{
    char path[PATH_MAX], value[XATTR_MAX];

    name_entry(x, path);
    return get_xattr(path, "user.overlay.origin", value, false);
}

/* path is in upper, where nobody else writes: what lstat said still holds, but
 * that what is made readable gets another ctime. */
static void
open_up(const char *path, struct stat *st)
{
    mode_t mode = st->st_mode & 07777;
    mode_t needed = S_ISDIR(st->st_mode) ? 0700 : 0400;
    char text[XATTR_MAX];
    struct stat now;

    if ((mode & needed) != needed) {
        snprintf(text, sizeof(text), "%o", (unsigned)mode);
        if (chmod(path, mode | 0700) == 0)
            (void)setxattr(path, MODE_XATTR, text, strlen(text), 0);
        if (stat(path, &now) == 0)
            st->st_ctim = now.st_ctim;
    } else if ((mode & 0700) == 0700 && /* what the above gave has all three */
               get_xattr(path, MODE_XATTR, text, true)) {
        st->st_mode = (st->st_mode & (mode_t)S_IFMT) |
                      ((mode_t)strtoul(text, NULL, 8) & 07777);
    }
}

void
changes_open_up(struct beneath_entry *x)
{
    char path[PATH_MAX];

    if (!S_ISDIR(x->st.st_mode) && !S_ISREG(x->st.st_mode))
        return;
    name_entry(x, path);
    open_up(path, &x->st);
}

void
changes_open_top(int upper, struct stat *st)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", upper);
    open_up(path, st);
}
