/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.c - who may write what we go by. */
#include "base/owner.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/acl.h"
#include "base/own_group.h"

#define SELF_FD "/proc/self/fd/%d"
#define WHO_MAX (OWN_GROUP_WHY + 32)
#define SHOWN   100 /* bytes of a path; its command repeats what is as short */

/* What is looked at. */
struct item {
    const char *name; /* for the text; of no open file its path as well */
    int fd;           /* -1: by its path */
    enum owner_whose whose;
    uid_t us; /* who beside root may write it: root again, or we */
    struct stat st;
};

/* "chmod g-w PATH", where a shell takes that for one word. */
static int
refuse_writer(const struct item *it, const char *who, const char *command,
              struct err *e)
{
    size_t n = strlen(it->name);
    bool plain = n > 0 && n <= SHOWN / 2 + 10 && it->name[0] != '-' &&
                 n == strspn(it->name,
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789/._+-");

    return err_set(e, ERR_PERMISSION,
                   "%.*s is writable by others: %s. To do: %s %s", SHOWN,
                   it->name, who, command, plain ? it->name : "it");
}

static int
refuse_owner(const struct item *it, struct err *e)
{
    unsigned mode = (unsigned)it->st.st_mode & 07777;

    if (it->whose == OWNER_ROOTS)
        return err_set(
            e, ERR_PERMISSION,
            "%.120s must be owned by root and writable only by root (owner %u, "
            "mode %04o). To do: chown 0 it, setfacl -b it, chmod go-w it",
            it->name, (unsigned)it->st.st_uid, mode);
    return err_set(
        e, ERR_PERMISSION,
        "%.120s is owned by another user (owner %u, mode %04o), who can write "
        "to it. To do: chown %u it, or use your own home (sudo -H)",
        it->name, (unsigned)it->st.st_uid, mode, (unsigned)it->us);
}

/* The bytes of an attribute; 0: it has none, or its file system knows none. */
static ssize_t
read_attribute(const struct item *it, const char *name, void *out, size_t size)
{
    char self[sizeof(SELF_FD) + 12];
    ssize_t n;

    if (it->fd < 0) {
        n = lgetxattr(it->name, name, out, size);
    } else {
        n = fgetxattr(it->fd, name, out, size);
        if (n < 0 && errno == EBADF) { /* an O_PATH one */
            snprintf(self, sizeof(self), SELF_FD, it->fd);
            n = getxattr(self, name, out, size);
        }
    }
    return n < 0 && (errno == ENODATA || errno == EOPNOTSUPP) ? 0 : n;
}

static bool
is_others_group(const struct item *it, gid_t gid, char who[WHO_MAX])
{
    char why[OWN_GROUP_WHY];

    if (own_group_is(gid, it->us, why))
        return false;
    snprintf(who, WHO_MAX, "%s", why);
    return true;
}

/* Whether it is somebody else, and who. */
static bool
is_others(const struct item *it, const struct acl_writer *w, char who[WHO_MAX])
{
    switch (w->kind) {
    case ACL_OWNER:
        return false;
    case ACL_OWNING_GROUP:
        return is_others_group(it, it->st.st_gid, who);
    case ACL_GROUP:
        snprintf(who, WHO_MAX, "its ACL lets group %u write", (unsigned)w->id);
        return true;
    case ACL_USER:
        snprintf(who, WHO_MAX, "its ACL lets user %u write", (unsigned)w->id);
        return w->id != 0 && w->id != it->us;
    case ACL_EVERYBODY:
        snprintf(who, WHO_MAX, "its ACL lets everybody write");
        return true;
    case ACL_NAMED:
    default:
        snprintf(who, WHO_MAX, "its ACL lets others write");
        return true;
    }
}

/* A kind of list, and what takes others out of it. */
struct list {
    const char *attribute;
    int (*read)(const void *bytes, size_t n, struct acl *out);
    const char *command;
};

/* 1: it has such a list, which lets nobody else write; 0: it has none. */
static int
check_list(const struct item *it, const struct list *l, struct err *e)
{
    unsigned char bytes[ACL_BYTES_MAX];
    ssize_t n = read_attribute(it, l->attribute, bytes, sizeof(bytes));
    char who[WHO_MAX];
    struct acl acl;

    if (n == 0)
        return 0;
    if (n < 0 || l->read(bytes, (size_t)n, &acl) < 0)
        return refuse_writer(it, "cannot read its ACL", l->command, e);
    for (size_t i = 0; i < acl.n; i++) {
        if (is_others(it, &acl.v[i], who))
            return refuse_writer(it, who,
                                 acl.v[i].kind == ACL_OWNING_GROUP ? "chmod g-w"
                                                                   : l->command,
                                 e);
    }
    return 1;
}

/* Where there is a list the mode's bits for the group are its mask, so that
 * without one of them no entry lets anybody write. NFS's lists need not show
 * in the mode. Richacl would, and was never part of Linux; ZFS's own attribute
 * (system.nfs4_acl_xdr) is not on Linux as OpenZFS makes it; CIFS and FUSE
 * show what their server says as a mode. */
static int
check_writers(const struct item *it, struct err *e)
{
    static const struct list posix = {ACL_POSIX, acl_read_posix, "setfacl -b"};
    static const struct list nfs4 = {ACL_NFS4, acl_read_nfs4,
                                     "nfs4_setfacl -e"};
    char who[WHO_MAX];
    int rc;

    if (it->whose == OWNER_ROOTS && it->st.st_mode & (S_IWGRP | S_IWOTH))
        return refuse_owner(it, e);
    if (it->st.st_mode & S_IWOTH)
        return refuse_writer(it, "everybody", "chmod go-w", e);
    if ((rc = check_list(it, &nfs4, e)) != 0)
        return rc < 0 ? -1 : 0;
    if (!(it->st.st_mode & S_IWGRP))
        return 0;
    if ((rc = check_list(it, &posix, e)) != 0)
        return rc < 0 ? -1 : 0;
    if (is_others_group(it, it->st.st_gid, who))
        return refuse_writer(it, who, "chmod g-w", e);
    return 0;
}

static int
check_item(const struct item *it, struct err *e)
{
    if (it->st.st_uid != it->us && it->st.st_uid != 0)
        return refuse_owner(it, e);
    return S_ISLNK(it->st.st_mode) ? 0 : check_writers(it, e);
}

static uid_t
number_of(enum owner_whose whose)
{
    return whose == OWNER_ROOTS ? 0 : geteuid();
}

int
owner_check_fd(int fd, enum owner_whose whose, const char *name, struct err *e)
{
    struct item it = {
        .name = name, .fd = fd, .whose = whose, .us = number_of(whose)};

    return fstat(fd, &it.st) < 0 ? err_sys(e, "%s", name) : check_item(&it, e);
}

int
owner_check_path(const char *path, enum owner_whose whose, struct err *e)
{
    struct item it = {
        .name = path, .fd = -1, .whose = whose, .us = number_of(whose)};

    return lstat(path, &it.st) < 0 ? err_sys(e, "%s", path)
                                   : check_item(&it, e);
}

/* Who owns / can put anything in the place of anything. In a name space of
 * users that root is not in, that is how root is called. */
static bool
owns_all(const struct stat *st)
{
    struct stat top;

    return lstat("/", &top) == 0 && top.st_uid == st->st_uid;
}

/* One directory of the way down. */
static int
check_one(const char *dir, struct err *e)
{
    struct item it = {
        .name = dir[0] ? dir : "/", .fd = -1, .us = number_of(OWNER_OURS)};

    if (lstat(it.name, &it.st) < 0)
        return err_sys(e, "%s", it.name);
    if (it.st.st_uid != 0 && !owns_all(&it.st))
        return check_item(&it, e);
    if (S_ISLNK(it.st.st_mode) || it.st.st_mode & S_ISVTX)
        return 0;
    return check_writers(&it, e);
}

int
owner_check_above(const char *path, struct err *e)
{
    char above[PATH_MAX];
    size_t n = strlen(path);

    if (n >= sizeof(above))
        return err_set(e, ERR_INVALID, "%.100s…: too long", path);
    memcpy(above, path, n + 1);
    for (char *slash = above; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (check_one(above, e) < 0)
            return -1;
        *slash = '/';
    }
    return 0;
}

int
owner_check_file(int fd, const char *path, struct err *e)
{
    char self[sizeof(SELF_FD) + 12], real[PATH_MAX];
    ssize_t n;

    if (owner_check_fd(fd, OWNER_OURS, path, e) < 0)
        return -1;
    snprintf(self, sizeof(self), SELF_FD, fd);
    n = readlink(self, real, sizeof(real) - 1);
    if (n <= 0 || real[0] != '/')
        return err_set(e, ERR_PERMISSION, "%.150s: cannot resolve its path",
                       path);
    real[n] = '\0';
    if (path[0] == '/' && owner_check_above(path, e) < 0)
        return -1;
    return owner_check_above(real, e);
}
