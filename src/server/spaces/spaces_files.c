/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_files.c - the file operations, each below the workspace. */
#include "server/spaces/spaces_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/utf8.h"
#include "sandbox/preview/beneath.h"

#define TEMP_NAME_SIZE 32
#define SHOWN_MAX      50 /* characters of a text that was not found */

/* The protocol's text for errno. */
static int
fail_by_errno(struct err *e)
{
    int sys = errno;

    (void)err_sys(e, "file");
    if (sys == ENOENT)
        (void)err_set(e, ERR_NOT_FOUND, "File not found");
    else if (sys == EXDEV)
        (void)err_set(e, ERR_PERMISSION, "Path leads out of the workspace");
    else if (sys == EEXIST)
        (void)err_set(e, ERR_INVALID, "File already exists");
    else if (e)
        (void)err_set(e, e->code, "%s", err_system(sys));
    if (e)
        e->sys = sys;
    return -1;
}

static int
fail_with(int sys, struct err *e)
{
    errno = sys;
    return fail_by_errno(e);
}

int
spaces_files_find(int root, const char *path, char real[PATH_MAX],
                  struct err *e)
{
    CLEANUP(fd_close_p) int fd = beneath_follow(root, path, O_PATH);
    char self[32];
    ssize_t n;

    if (fd < 0)
        return fail_by_errno(e);
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    n = readlink(self, real, PATH_MAX);
    if (n < 0)
        return fail_by_errno(e);
    if (n == PATH_MAX)
        return fail_with(ENAMETOOLONG, e);
    real[n] = '\0';
    return TAKE_FD(fd);
}

/* Makes the directory of the first n bytes of path, whose parents are there. */
static int
make_parent(int root, const char *path, size_t n)
{
    CLEANUP(free_p) char *dir = strndup(path, n);
    char *slash = dir ? strrchr(dir, '/') : NULL;
    CLEANUP(fd_close_p) int above = -1;

    if (!dir)
        return -1;
    if (slash)
        *slash = '\0';
    above = beneath_follow(root, slash ? dir : ".", O_PATH | O_DIRECTORY);
    if (above < 0)
        return -1;
    if (mkdirat(above, slash ? slash + 1 : dir, 0777) < 0 && errno != EEXIST)
        return -1;
    return 0;
}

/* Opens the directory that holds path, as O_PATH; with `make` those that are
 * missing are made. *name becomes the last part of path. */
static int
open_parent(int root, const char *path, bool make, const char **name)
{
    const char *slash = strrchr(path, '/');
    CLEANUP(free_p)
    char *dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    int fd;

    if (!dir)
        return -1;
    *name = slash ? slash + 1 : path;
    fd = beneath_follow(root, dir, O_PATH | O_DIRECTORY);
    if (fd >= 0 || errno != ENOENT || !make)
        return fd;
    for (const char *p = dir; (p = strchr(p, '/')); p++) {
        if (p > dir && p[-1] != '/' &&
            make_parent(root, dir, (size_t)(p - dir)) < 0)
            return -1;
    }
    if (make_parent(root, dir, strlen(dir)) < 0)
        return -1;
    return beneath_follow(root, dir, O_PATH | O_DIRECTORY);
}

/* A unique temporary name, since a killed run leaves such files behind. */
static int
make_hidden_name(char name[TEMP_NAME_SIZE])
{
    uint64_t random;

    if (getrandom(&random, sizeof(random), 0) != sizeof(random))
        return -1;
    snprintf(name, TEMP_NAME_SIZE, ".agentsh-%016llx",
             (unsigned long long)random);
    return 0;
}

/* Copies mode and, where permitted, owner of the file that is replaced. */
static int
copy_mode_and_owner(int fd, const struct stat *old)
{
    struct stat own;

    if (!old)
        return 0;
    if (fstat(fd, &own) < 0)
        return -1;
    if ((own.st_uid != old->st_uid || own.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) < 0 && errno != EPERM)
        return -1;
    return fchmod(fd, old->st_mode & 0777);
}

/* Gives the file its name, which nothing may have yet. Some file systems cannot
 * rename so, as renameat2(2) says. */
static int
name_new_file(int dir, const char *temp, const char *name)
{
    if (renameat2(dir, temp, dir, name, RENAME_NOREPLACE) == 0)
        return 0;
    if ((errno != EINVAL && errno != ENOSYS) ||
        linkat(dir, temp, dir, name, 0) < 0)
        return -1;
    return unlinkat(dir, temp, 0);
}

/* Puts a file of n bytes in the place of name. old: what is replaced; NULL:
 * nothing may be there. */
static int
put_whole_file(int dir, const char *name, const void *bytes, size_t n,
               const struct stat *old, struct err *e)
{
    char temp[TEMP_NAME_SIZE];
    CLEANUP(fd_close_p) int fd = -1;
    struct err why = {0};
    int rc;

    if (make_hidden_name(temp) < 0)
        return fail_by_errno(e);
    fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                0666);
    if (fd < 0)
        return fail_by_errno(e);
    if (fd_write_all(fd, bytes, n, -1, &why) < 0 ||
        copy_mode_and_owner(fd, old) < 0)
        rc = fail_with(why.sys ? why.sys : errno, e);
    else if ((old ? renameat(dir, temp, dir, name)
                  : name_new_file(dir, temp, name)) < 0)
        rc = fail_by_errno(e);
    else
        return 0;
    (void)unlinkat(dir, temp, 0);
    return rc;
}

/* What stands at name: a link is what it leads to, as long as that is below the
 * root. Moves dir and name there. 1: there is nothing. */
static int
follow_last(int root, int *dir, const char *path, const char **name,
            char real[PATH_MAX], struct stat *st, struct err *e)
{
    CLEANUP(fd_close_p) int found = -1;
    char top[PATH_MAX];
    const char *below;

    if (fstatat(*dir, *name, st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 1 : fail_by_errno(e);
    if (!S_ISLNK(st->st_mode))
        return 0;
    if ((found = spaces_files_find(root, path, real, e)) < 0)
        return -1;
    fd_close_p(&found);
    if ((found = spaces_files_find(root, ".", top, e)) < 0)
        return -1;
    below = real + strlen(top) + (strcmp(top, "/") != 0);
    fd_close_p(dir);
    *dir = beneath_parent(root, below, name);
    if (*dir < 0 || fstatat(*dir, *name, st, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_by_errno(e);
    return 0;
}

/* Refuses what is not a regular file. */
static int
check_regular(const struct stat *st, struct err *e)
{
    if (S_ISREG(st->st_mode))
        return 0;
    if (S_ISDIR(st->st_mode))
        return fail_with(EISDIR, e);
    return err_set(e, ERR_INVALID, "Not a regular file");
}

int
spaces_files_create(int root, const char *path, const void *bytes, size_t n,
                    bool overwrite, struct err *e)
{
    const char *name;
    CLEANUP(fd_close_p) int dir = open_parent(root, path, true, &name);
    char real[PATH_MAX];
    struct stat st;
    int nothing;

    if (dir < 0)
        return fail_by_errno(e);
    if (!*name)
        return fail_with(EISDIR, e);
    if (!overwrite)
        return put_whole_file(dir, name, bytes, n, NULL, e);
    nothing = follow_last(root, &dir, path, &name, real, &st, e);
    if (nothing < 0 || (!nothing && check_regular(&st, e) < 0))
        return -1;
    return put_whole_file(dir, name, bytes, n, nothing ? NULL : &st, e);
}

static int
check_size(const struct stat *st, struct err *e)
{
    if (st->st_size <= SPACES_CONTENT_MAX)
        return 0;
    return err_set(e, ERR_INVALID, "File too large (%lld bytes, max %u bytes)",
                   (long long)st->st_size, SPACES_CONTENT_MAX);
}

/* What an O_PATH descriptor is about, opened to be read: neither a FIFO nor a
 * device is. */
int
spaces_files_read(int found, struct buf *out, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    char self[32];
    struct stat st;
    struct err why = {0};

    if (fstat(found, &st) < 0)
        return fail_by_errno(e);
    if (check_regular(&st, e) < 0 || check_size(&st, e) < 0)
        return -1;
    snprintf(self, sizeof(self), "/proc/self/fd/%d", found);
    fd = open(self, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return fail_by_errno(e);
    if (file_read_fd(fd, out, &why) == 0)
        return 0;
    if (why.sys)
        return fail_with(why.sys, e);
    return err_set(e, ERR_INVALID, "File too large (max %u bytes)",
                   SPACES_CONTENT_MAX);
}

static int
fail_not_found(const char *text, size_t n, struct err *e)
{
    size_t at = 0, characters = 0;

    while (at < n && characters < SHOWN_MAX) {
        uint32_t cp;

        at += utf8_decode(text + at, n - at, &cp);
        characters++;
    }
    return err_set(e, ERR_INVALID,
                   "Could not find content to replace: \"%.*s...\"", (int)at,
                   text);
}

static int
apply_edit(const struct json *edit, struct buf *text, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(SPACES_CONTENT_MAX);
    size_t old_n, new_n, before;
    const char *old = json_str(json_get(edit, "oldContent"), &old_n);
    const char *with = json_str(json_get(edit, "newContent"), &new_n);
    const char *at = memmem(text->p, text->len, old, old_n);

    if (!at)
        return fail_not_found(old, old_n, e);
    before = (size_t)(at - text->p);
    buf_add(&out, text->p, before);
    buf_add(&out, with, new_n);
    buf_add(&out, at + old_n, text->len - before - old_n);
    if (buf_ok(&out, "the file", NULL) < 0)
        return err_set(e, ERR_INVALID, "File would be too large (max %u bytes)",
                       SPACES_CONTENT_MAX);
    buf_done(text);
    *text = out;
    out = (struct buf){0};
    return 0;
}

int
spaces_files_edit(int root, const char *path, const struct json *edits,
                  const atomic_bool *unwanted, size_t *applied, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(SPACES_CONTENT_MAX);
    CLEANUP(fd_close_p) int found = -1, dir = -1;
    char real[PATH_MAX];
    const char *name;
    struct stat st;
    size_t n = 0;
    int nothing;

    if ((found = spaces_files_find(root, path, real, e)) < 0 ||
        spaces_files_read(found, &text, e) < 0)
        return -1;
    for (const struct json *edit = json_first(edits); edit;
         edit = json_next(edit), n++) {
        if (worker_is_unwanted(unwanted))
            return err_set(e, ERR_INTERRUPTED, "interrupted");
        if (apply_edit(edit, &text, e) < 0)
            return -1;
    }
    if ((dir = open_parent(root, path, false, &name)) < 0)
        return fail_by_errno(e);
    nothing = follow_last(root, &dir, path, &name, real, &st, e);
    if (nothing < 0 || (!nothing && check_regular(&st, e) < 0))
        return -1;
    if (nothing)
        return fail_with(ENOENT, e);
    if (put_whole_file(dir, name, text.p, text.len, &st, e) < 0)
        return -1;
    *applied = n;
    return 0;
}

int
spaces_files_delete(int root, const char *path, struct err *e)
{
    const char *name;
    CLEANUP(fd_close_p) int dir = open_parent(root, path, false, &name);
    struct stat st;

    if (dir < 0)
        return fail_by_errno(e);
    if (!*name)
        return fail_with(EISDIR, e);
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_by_errno(e);
    if (S_ISDIR(st.st_mode))
        return fail_with(EISDIR, e);
    return unlinkat(dir, name, 0) < 0 ? fail_by_errno(e) : 0;
}
