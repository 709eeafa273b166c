/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_attributes.c - reads and sets what a file has beside its contents. */
#include "action/undo_attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define NAMES_ROOM  65536 /* what the kernel lists at most (XATTR_LIST_MAX) */
#define VALUE_ROOM  65536 /* XATTR_SIZE_MAX */
#define FD_PATH_MAX 32

static void
path_of_fd(int fd, char path[FD_PATH_MAX])
{
    snprintf(path, FD_PATH_MAX, "/proc/self/fd/%d", fd);
}

static bool
is_of_originals(const char *name)
{
    return strcmp(name, "system.posix_acl_access") == 0 ||
           strcmp(name, "system.posix_acl_default") == 0 ||
           (strcmp(name, "security.capability") == 0 && geteuid() == 0) ||
           (strncmp(name, "user.", 5) == 0 &&
            strncmp(name, "user.overlay.", 13) != 0 &&
            strncmp(name, "user.agentsh.", 13) != 0);
}

/* The names of all attributes, which the caller frees; *n 0: there are none. */
static char *
list_attribute_names(const char *path, ssize_t *n, struct err *e)
{
    CLEANUP(free_p) char *names = malloc(NAMES_ROOM);

    if (!names) {
        err_nomem(e);
        return NULL;
    }
    *n = listxattr(path, names, NAMES_ROOM);
    if (*n < 0 && errno != ENOTSUP) {
        err_sys(e, "its attributes");
        return NULL;
    }
    if (*n < 0)
        *n = 0;
    return TAKE_PTR(names);
}

int
undo_attributes_read(int fd, struct buf *out, struct err *e)
{
    char path[FD_PATH_MAX];
    CLEANUP(free_p) char *names = NULL;
    CLEANUP(free_p) char *value = NULL;
    ssize_t n, len;

    path_of_fd(fd, path);
    if ((n = listxattr(path, NULL, 0)) == 0 || (n < 0 && errno == ENOTSUP))
        return 0;
    if (!(names = list_attribute_names(path, &n, e)))
        return -1;
    if (n > 0 && !(value = malloc(VALUE_ROOM)))
        return err_nomem(e);
    for (const char *p = names; p < names + n; p += strlen(p) + 1) {
        if (!is_of_originals(p))
            continue;
        len = getxattr(path, p, value, VALUE_ROOM);
        if (len < 0 && errno == ENODATA)
            continue; /* somebody has just removed it */
        if (len < 0)
            return err_sys(e, "its attribute %s", p);
        buf_add(out, p, strlen(p) + 1);
        buf_printf(out, "%zd", len);
        buf_ch(out, '\0');
        buf_add(out, value, (size_t)len);
    }
    return buf_ok(out, "its attributes", e);
}

/* The value of a name in such a text; NULL: it is not there, or the text is
 * damaged. */
static const char *
find_value(const char *text, size_t n, const char *name, size_t *len)
{
    size_t at = 0;

    while (at < n) {
        const char *key = text + at, *figure;
        size_t size = strnlen(key, n - at);
        char *end;

        if ((at += size + 1) >= n)
            return NULL;
        figure = text + at;
        if ((at += strnlen(figure, n - at) + 1) > n)
            return NULL;
        *len = strtoul(figure, &end, 10);
        if (*end || *len > n - at)
            return NULL;
        if (!name || strcmp(key, name) == 0)
            return text + at;
        at += *len;
    }
    return NULL;
}

/* Takes away what the file has and the text has not. */
static int
remove_others(const char *path, const char *text, size_t n, struct err *e)
{
    ssize_t have;
    size_t len;
    CLEANUP(free_p) char *names = list_attribute_names(path, &have, e);

    if (!names)
        return -1;
    for (const char *p = names; p < names + have; p += strlen(p) + 1)
        if (is_of_originals(p) && !find_value(text, n, p, &len) &&
            removexattr(path, p) < 0 && errno != ENODATA)
            return err_sys(e, "its attribute %s", p);
    return 0;
}

/* Whether the file has the attribute with this value: to set it again may be
 * forbidden, as it is where only the mode was changed, to one without u+w. */
static bool
has_value(const char *path, const char *name, const char *value, size_t n)
{
    CLEANUP(free_p) char *now = malloc(VALUE_ROOM);

    return now && getxattr(path, name, now, VALUE_ROOM) == (ssize_t)n &&
           memcmp(now, value, n) == 0;
}

int
undo_attributes_set(int fd, const char *text, size_t n, struct err *e)
{
    char path[FD_PATH_MAX];
    size_t at = 0;

    path_of_fd(fd, path);
    if (n == 0 && listxattr(path, NULL, 0) <= 0)
        return 0;
    if (remove_others(path, text, n, e) < 0)
        return -1;
    while (at < n) {
        const char *name = text + at, *value;
        size_t len;

        if (!(value = find_value(text + at, n - at, NULL, &len)))
            return err_set(e, ERR_PARSE, "the list of attributes is damaged");
        if (!has_value(path, name, value, len) &&
            setxattr(path, name, value, len, 0) < 0)
            return err_sys(e, "its attribute %s", name);
        at = (size_t)(value - text) + len;
    }
    return 0;
}

/* The owner comes first: it takes mode bits away. */
int
undo_attributes_stat(int fd, const struct stat *was, bool times, struct err *e)
{
    const struct timespec at[2] = {was->st_atim, was->st_mtim};
    char path[FD_PATH_MAX];
    struct stat now;

    path_of_fd(fd, path);
    if (fstat(fd, &now) < 0)
        return err_sys(e, "its attributes");
    if ((now.st_uid != was->st_uid || now.st_gid != was->st_gid) &&
        fchownat(fd, "", was->st_uid, was->st_gid, AT_EMPTY_PATH) < 0)
        return err_sys(e, "its owner");
    if (fstat(fd, &now) < 0 ||
        ((now.st_mode & 07777) != (was->st_mode & 07777) &&
         chmod(path, was->st_mode & 07777) < 0))
        return err_sys(e, "its mode");
    if (times && utimensat(AT_FDCWD, path, at, 0) < 0)
        return err_sys(e, "its times");
    return 0;
}
