/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_upper.c - what overlayfs noted beside the files of upper. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "sandbox/changes_in.h"

#define MODE_XATTR "user.agentsh.mode" /* before it was made readable */
#define XATTR_MAX  32

/* The value of an attribute of an entry, "" when there is none. */
static void
get_xattr(const struct beneath_entry *x, const char *name,
          char value[XATTR_MAX], bool *there)
{
    char path[PATH_MAX];
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", x->dir, x->name);
    n = lgetxattr(path, name, value, XATTR_MAX - 1);
    *there = n >= 0;
    value[n > 0 ? n : 0] = '\0';
}

static bool
has_xattr(const struct beneath_entry *x, const char *name, const char *wanted)
{
    char value[XATTR_MAX];
    bool there;

    get_xattr(x, name, value, &there);
    return there && (!wanted || strcmp(value, wanted) == 0);
}

bool
changes_is_opaque(const struct beneath_entry *x)
{
    return has_xattr(x, "user.overlay.opaque", "y");
}

bool
changes_is_copy(const struct beneath_entry *x)
{
    return has_xattr(x, "user.overlay.origin", NULL);
}

void
changes_open_up(struct beneath_entry *x)
{
    mode_t mode = x->st.st_mode & 07777;
    mode_t needed = S_ISDIR(x->st.st_mode) ? 0700 : 0400;
    char path[PATH_MAX], text[XATTR_MAX];
    bool there;

    if (!S_ISDIR(x->st.st_mode) && !S_ISREG(x->st.st_mode))
        return;
    snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", x->dir, x->name);
    if ((mode & needed) != needed) {
        /* no link: lstat said so, and nobody else writes in upper */
        if (fchmodat(x->dir, x->name, mode | 0700, 0) == 0) {
            snprintf(text, sizeof(text), "%o", (unsigned)mode);
            (void)lsetxattr(path, MODE_XATTR, text, strlen(text), 0);
        }
        return;
    }
    if ((mode & 0700) != 0700) /* what this gave has all three */
        return;
    get_xattr(x, MODE_XATTR, text, &there);
    if (there)
        x->st.st_mode = (x->st.st_mode & (mode_t)S_IFMT) |
                        ((mode_t)strtoul(text, NULL, 8) & 07777);
}
