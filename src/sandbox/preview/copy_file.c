/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy_file.c - copies a file's bytes, attributes, mode, owner and times. */
#include "sandbox/preview/copy_file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "sandbox/preview/beneath.h"

#define COPY_BYTES   65536
#define SLICE_BYTES  (8 << 20) /* bytes between two calls of ask */
#define NAMES_MAX    4096      /* bytes of attributes; more are not copied */
#define VALUE_MAX    4096
#define SPECIAL_BITS (S_ISUID | S_ISGID)

mode_t
copy_file_mode(const struct change *c)
{
    mode_t plain = c->after.st_mode & 01777;
    bool same_thing = c->kind == CHANGE_ATTRIBUTES;

    if (S_ISREG(c->after.st_mode))
        plain &= 0777;
    if (same_thing)
        plain |= c->before.st_mode & c->after.st_mode & SPECIAL_BITS;
    return plain;
}

/* Copies by read and write, where the kernel cannot copy itself. */
static int
copy_plainly(int from, int to, off_t at, off_t end, struct err *e)
{
    char bytes[COPY_BYTES];

    if (lseek(from, at, SEEK_SET) < 0 || lseek(to, at, SEEK_SET) < 0)
        return err_sys(e, "seek");
    while (at < end) {
        size_t wanted = end - at < COPY_BYTES ? (size_t)(end - at) : COPY_BYTES;
        ssize_t n = read(from, bytes, wanted);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(e, "read");
        if (n == 0)
            return 0;
        if (fd_write_all(to, bytes, (size_t)n, -1, e) < 0)
            return -1;
        at += n;
    }
    return 0;
}

static int
copy_range(int from, int to, off_t at, off_t end, struct err *e)
{
    off_t in = at, out = at;

    while (in < end) {
        ssize_t n = copy_file_range(from, &in, to, &out, (size_t)(end - in), 0);

        if (n == 0)
            return 0; /* the file became shorter */
        if (n < 0 && errno == ENOSPC)
            return err_sys(e, "write");
        if (n < 0 && errno != EINTR)
            return copy_plainly(from, to, in, end, e);
    }
    return 0;
}

bool
copy_file_clone(int from, int to)
{
    return ioctl(to, FICLONE, from) == 0;
}

static int
copy_slices(int from, int to, off_t at, off_t end, copy_file_slice_fn *ask,
            void *arg, struct err *e)
{
    while (at < end) {
        off_t to_end = end - at < SLICE_BYTES ? end : at + SLICE_BYTES;

        if ((ask && ask(arg, (size_t)(to_end - at), e) < 0) ||
            copy_range(from, to, at, to_end, e) < 0)
            return -1;
        at = to_end;
    }
    return 0;
}

/* Copies only the data; the holes stay, since a file may be larger than the
 * disk. */
int
copy_file_bytes(int from, int to, off_t size, copy_file_slice_fn *ask,
                void *arg, struct err *e)
{
    off_t at = 0;

    if (ftruncate(to, size) < 0)
        return err_sys(e, "write");
    while (at < size) {
        off_t data = lseek(from, at, SEEK_DATA);
        off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);

        if (data < 0 && errno == ENXIO)
            return 0; /* the rest is a hole */
        if (hole < 0 || hole > size) {
            data = data < 0 ? at : data;
            hole = size;
        }
        if (copy_slices(from, to, data, hole, ask, arg, e) < 0)
            return -1;
        at = hole;
    }
    return 0;
}

static bool
is_attribute_kept(const char *name, bool lists)
{
    if (strcmp(name, "system.posix_acl_access") == 0)
        return lists;
    return strncmp(name, "user.", 5) == 0 &&
           strncmp(name, "user.overlay.", 13) != 0 &&
           strncmp(name, "user.agentsh.", 13) != 0;
}

static int
copy_xattrs(int from, int to, bool lists, struct err *e)
{
    char names[NAMES_MAX], value[VALUE_MAX];
    ssize_t n = flistxattr(from, names, sizeof(names));

    for (const char *p = names; n > 0 && p < names + n; p += strlen(p) + 1) {
        ssize_t len;

        if (!is_attribute_kept(p, lists))
            continue;
        len = fgetxattr(from, p, value, sizeof(value));
        if (len >= 0 && fsetxattr(to, p, value, (size_t)len, 0) < 0 &&
            errno != ENOTSUP)
            return err_sys(e, "attribute %s", p);
    }
    return 0;
}

int
copy_file_forget_view(int fd, struct err *e)
{
    char names[NAMES_MAX];
    ssize_t n = flistxattr(fd, names, sizeof(names));

    for (const char *p = names; n > 0 && p < names + n; p += strlen(p) + 1)
        if ((strncmp(p, "user.overlay.", 13) == 0 ||
             strncmp(p, "user.agentsh.", 13) == 0) &&
            fremovexattr(fd, p) < 0 && errno != ENODATA)
            return err_sys(e, "attribute %s", p);
    return 0;
}

static bool
is_of_copy(const char *name)
{
    return strcmp(name, "system.posix_acl_default") == 0 ||
           is_attribute_kept(name, true);
}

int
copy_file_all_xattrs(int from, int to, struct err *e)
{
    char names[NAMES_MAX], value[VALUE_MAX];
    ssize_t n = flistxattr(from, names, sizeof(names));

    if (n < 0)
        return errno == ENOTSUP ? 0 : 1;
    for (const char *p = names; p < names + n; p += strlen(p) + 1) {
        ssize_t len;

        if (!is_of_copy(p))
            continue;
        len = fgetxattr(from, p, value, sizeof(value));
        if (len < 0 && errno == ENODATA)
            continue; /* somebody has just removed the attribute */
        if (len < 0)
            return 1;
        if (fsetxattr(to, p, value, (size_t)len, 0) < 0)
            return err_sys(e, "attribute %s", p);
    }
    return 0;
}

/* Sets mode and times last: the mode may give others access, who must find the
 * file complete. */
static int
set_mode_and_times(int to, const struct change *c, struct err *e)
{
    struct timespec times[2] = {c->after.st_atim, c->after.st_mtim};

    if (fchmod(to, copy_file_mode(c)) < 0)
        return err_sys(e, "mode");
    return futimens(to, times) < 0 ? err_sys(e, "time") : 0;
}

int
copy_file_as_own(int from, int to, const struct change *c, struct err *e)
{
    if ((!copy_file_clone(from, to) &&
         copy_file_bytes(from, to, c->after.st_size, NULL, NULL, e) < 0) ||
        copy_xattrs(from, to, false, e) < 0)
        return -1;
    return set_mode_and_times(to, c, e);
}

int
copy_file_all(int from, int to, const struct change *c, bool sync,
              struct err *e)
{
    struct stat st;

    if ((!copy_file_clone(from, to) &&
         copy_file_bytes(from, to, c->after.st_size, NULL, NULL, e) < 0) ||
        copy_xattrs(from, to, true, e) < 0)
        return -1;
    if (fstat(to, &st) < 0)
        return err_sys(e, "stat");
    if ((st.st_uid != c->after.st_uid || st.st_gid != c->after.st_gid) &&
        fchown(to, c->after.st_uid, c->after.st_gid) < 0)
        return err_sys(e, "owner");
    if (set_mode_and_times(to, c, e) < 0)
        return -1;
    if (sync && fsync(to) < 0)
        return err_sys(e, "fsync");
    return 0;
}

int
copy_file_attributes(int place, const struct change *c, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = beneath_open(place, c->path, O_PATH | O_NOFOLLOW);
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, c->after.st_mtim};
    char self[32];
    struct stat st;
    mode_t mode;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%s", c->path);
    mode = copy_file_mode(c);
    if (S_ISDIR(st.st_mode) && c->kind != CHANGE_ATTRIBUTES)
        mode |= st.st_mode & S_ISGID; /* inherited from its directory */
    if ((st.st_uid != c->after.st_uid || st.st_gid != c->after.st_gid) &&
        fchownat(fd, "", c->after.st_uid, c->after.st_gid, AT_EMPTY_PATH) < 0)
        return err_sys(e, "%s: owner", c->path);
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    if (!S_ISLNK(st.st_mode) && (st.st_mode & 07777) != mode &&
        chmod(self, mode) < 0)
        return err_sys(e, "%s: mode", c->path);
    /* a directory's time is that of its last new entry */
    if (S_ISREG(st.st_mode) && utimensat(AT_FDCWD, self, times, 0) < 0)
        return err_sys(e, "%s: time", c->path);
    return 0;
}
