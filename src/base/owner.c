/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.c - checks that nobody else may write or replace a file we trust. */
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

/* The file that is checked. */
struct checked_file {
    const char *name; /* for messages; and the path, where fd is -1 */
    int fd;           /* -1: by its path */
    enum owner_whose whose;
    uid_t us; /* who may write it besides root: root or this user */
    struct stat st;
};

/* Suggests "chmod g-w PATH" where PATH needs no quotes in a shell. */
static int
refuse_writer(const struct checked_file *it, const char *who,
              const char *command, struct err *e)
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
refuse_owner(const struct checked_file *it, struct err *e)
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

/* Reads an extended attribute; 0: there is none, or the file system has none.
 */
static ssize_t
read_attribute(const struct checked_file *it, const char *name, void *out,
               size_t size)
{
    char self[sizeof(SELF_FD) + 12];
    ssize_t n;

    if (it->fd < 0) {
        n = lgetxattr(it->name, name, out, size);
    } else {
        n = fgetxattr(it->fd, name, out, size);
        if (n < 0 && errno == EBADF) { /* opened with O_PATH */
            snprintf(self, sizeof(self), SELF_FD, it->fd);
            n = getxattr(self, name, out, size);
        }
    }
    return n < 0 && (errno == ENODATA || errno == EOPNOTSUPP) ? 0 : n;
}

static bool
is_others_group(const struct checked_file *it, gid_t gid, char who[WHO_MAX])
{
    char why[OWN_GROUP_WHY];

    if (own_group_is(gid, it->us, why))
        return false;
    snprintf(who, WHO_MAX, "%s", why);
    return true;
}

/* Whether an entry is for somebody else, and for whom. */
static bool
is_others(const struct checked_file *it, const struct acl_writer *w,
          char who[WHO_MAX])
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

/* A kind of access control list, and the command that removes it. */
struct acl_list {
    const char *attribute;
    int (*read)(const void *bytes, size_t n, struct acl *out);
    const char *command;
};

/* Checks one kind of list. 1: it has one, which lets nobody else write; 0:
 * none. */
static int
check_acl(const struct checked_file *it, const struct acl_list *l,
          struct err *e)
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

/* Where a file has a POSIX list, the group bits of its mode are the mask of the
 * list: without a write bit there no entry lets anybody write. Lists of NFS
 * need not show in the mode. Richacl was never part of Linux; the attribute of
 * ZFS (system.nfs4_acl_xdr) is not visible on Linux; CIFS and FUSE show the
 * mode that their server reports. */
static int
check_writers(const struct checked_file *it, struct err *e)
{
    static const struct acl_list posix = {ACL_POSIX, acl_read_posix,
                                          "setfacl -b"};
    static const struct acl_list nfs4 = {ACL_NFS4, acl_read_nfs4,
                                         "nfs4_setfacl -e"};
    char who[WHO_MAX];
    int rc;

    if (it->whose == OWNER_ROOTS && it->st.st_mode & (S_IWGRP | S_IWOTH))
        return refuse_owner(it, e);
    if (it->st.st_mode & S_IWOTH)
        return refuse_writer(it, "everybody", "chmod go-w", e);
    if ((rc = check_acl(it, &nfs4, e)) != 0)
        return rc < 0 ? -1 : 0;
    if (!(it->st.st_mode & S_IWGRP))
        return 0;
    if ((rc = check_acl(it, &posix, e)) != 0)
        return rc < 0 ? -1 : 0;
    if (is_others_group(it, it->st.st_gid, who))
        return refuse_writer(it, who, "chmod g-w", e);
    return 0;
}

static int
check_item(const struct checked_file *it, struct err *e)
{
    if (it->st.st_uid != it->us && it->st.st_uid != 0)
        return refuse_owner(it, e);
    return S_ISLNK(it->st.st_mode) ? 0 : check_writers(it, e);
}

static uid_t
owner_uid(enum owner_whose whose)
{
    return whose == OWNER_ROOTS ? 0 : geteuid();
}

int
owner_check_fd(int fd, enum owner_whose whose, const char *name, struct err *e)
{
    struct checked_file it = {
        .name = name, .fd = fd, .whose = whose, .us = owner_uid(whose)};

    return fstat(fd, &it.st) < 0 ? err_sys(e, "%s", name) : check_item(&it, e);
}

int
owner_check_path(const char *path, enum owner_whose whose, struct err *e)
{
    struct checked_file it = {
        .name = path, .fd = -1, .whose = whose, .us = owner_uid(whose)};

    return lstat(path, &it.st) < 0 ? err_sys(e, "%s", path)
                                   : check_item(&it, e);
}

/* Whether the owner owns / too, and so may replace anything. In a user
 * namespace without root, that is the id that root has. */
static bool
owns_all(const struct stat *st)
{
    struct stat top;

    return lstat("/", &top) == 0 && top.st_uid == st->st_uid;
}

/* Checks one directory on the path. */
static int
check_one(const char *dir, struct err *e)
{
    struct checked_file it = {
        .name = dir[0] ? dir : "/", .fd = -1, .us = owner_uid(OWNER_OURS)};

    if (lstat(it.name, &it.st) < 0)
        return err_sys(e, "%s", it.name);
    if (it.st.st_uid != 0 && !owns_all(&it.st))
        return check_item(&it, e);
    if (S_ISLNK(it.st.st_mode) || it.st.st_mode & S_ISVTX)
        return 0;
    return check_writers(&it, e);
}

int
owner_check_parents(const char *path, struct err *e)
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
    if (path[0] == '/' && owner_check_parents(path, e) < 0)
        return -1;
    return owner_check_parents(real, e);
}
