/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attributes.c - a new file that is to look like an old one. */
#include "plugins/lib/attributes.h"

#include <stdbool.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"

#define COPY_BYTES 65536
#define ACL_NAME   "system.posix_acl_access"
/* as many bytes as Linux has for the names or for one value, xattr(7) */
#define NAMES_MAX XATTR_LIST_MAX
#define VALUE_MAX XATTR_SIZE_MAX

/* They speak of the bytes that were in the file before. */
static bool
is_of_content(const char *name)
{
    return strcmp(name, "security.capability") == 0 ||
           strcmp(name, "security.ima") == 0 ||
           strcmp(name, "security.evm") == 0;
}

static void
give_xattr(int from, int to, const char *name, char *value)
{
    ssize_t n = fgetxattr(from, name, value, VALUE_MAX);

    /* a refusal leaves it out: labels are for the system to give */
    if (n >= 0)
        (void)fsetxattr(to, name, value, (size_t)n, 0);
}

static int
give_xattrs(int from, int to, struct err *e)
{
    CLEANUP(free_p) char *names = NULL;
    CLEANUP(free_p) char *value = NULL;
    ssize_t n = flistxattr(from, NULL, 0);

    /* what the directory gave by default is not the old file's */
    (void)fremovexattr(to, ACL_NAME);
    if (n <= 0)
        return 0;
    names = malloc(NAMES_MAX);
    value = malloc(VALUE_MAX);
    if (!names || !value)
        return err_sys(e, "attributes");
    n = flistxattr(from, names, NAMES_MAX);
    for (const char *p = names; n > 0 && p < names + n; p += strlen(p) + 1) {
        if (!is_of_content(p))
            give_xattr(from, to, p, value);
    }
    return 0;
}

/* Returns the mode that fits the owner and group that it got. */
static mode_t
give_owner(const struct stat *st, int to)
{
    mode_t mode = st->st_mode & 0777;
    struct stat now;

    if (fstat(to, &now) < 0)
        return mode & 0700;
    if (now.st_gid != st->st_gid && fchown(to, (uid_t)-1, st->st_gid) < 0)
        mode = (mode & 0707) | (mode & 07) << 3; /* another group */
    if (now.st_uid != st->st_uid)
        (void)!fchown(to, st->st_uid, (gid_t)-1);
    return mode;
}

int
attributes_give(int from, const struct stat *st, int to, struct err *e)
{
    mode_t mode = give_owner(st, to);

    if (from >= 0 && give_xattrs(from, to, e) < 0)
        return -1;
    if (fchmod(to, mode) < 0)
        return err_sys(e, "mode");
    return 0;
}

static int
copy_bytes(int from, int to, struct err *e)
{
    CLEANUP(free_p) char *bytes = malloc(COPY_BYTES);
    off_t at = 0;
    ssize_t n;

    if (!bytes)
        return err_sys(e, "copy");
    while ((n = pread(from, bytes, COPY_BYTES, at)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(e, "read");
        if (fd_write_all(to, bytes, (size_t)n, -1, e) < 0)
            return -1;
        at += n;
    }
    return 0;
}

int
attributes_copy(int from, const struct stat *st, int to, struct err *e)
{
    struct timespec times[2] = {st->st_atim, st->st_mtim};

    if (copy_bytes(from, to, e) < 0 || attributes_give(from, st, to, e) < 0)
        return -1;
    if (futimens(to, times) < 0 || fsync(to) < 0)
        return err_sys(e, "copy");
    return 0;
}
