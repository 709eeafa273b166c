/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_placeholder.c - creates missing files and directories for the time of
 * a command. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/linux_calls.h"
#include "sandbox/protect/protect_internal.h"

#define TRIES 8 /* tries, while other launchers remove theirs */
/* Descriptors that the usual limit has room for. */
#define PLACEHOLDERS_FEW 256

/* A file with this date is a placeholder, also one that a killed launcher could
 * not remove. */
static const struct timespec made_by_us[] = {{.tv_sec = 0}, {.tv_sec = 0}};

/* Creates a placeholder under a temporary name and opens it; text NULL: a
 * directory. */
static int
create_temporary(int dir, const char *part, const char *text)
{
    if (text)
        return openat(dir, part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return mkdirat(dir, part, 0777) < 0 ? -1 : protect_open_dir(dir, part);
}

/* Creates a placeholder. It appears complete, since git may run at any time. -1
 * with errno. */
static int
create_placeholder(int dir, const char *name, const char *text)
{
    char part[NAME_MAX + 1];
    ssize_t n = text ? (ssize_t)strlen(text) : 0;
    uint64_t number; /* a command could create any name that it can guess */
    int fd, why;

    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        return -1;
    snprintf(part, sizeof(part), "%.200s.agentsh-%016" PRIx64, name, number);
    fd = create_temporary(dir, part, text);
    if (fd < 0)
        return -1;
    if ((n == 0 || write(fd, text, (size_t)n) == n) &&
        futimens(fd, made_by_us) == 0 &&
        linux_renameat2(dir, part, dir, name, RENAME_NOREPLACE) == 0)
        return fd;
    why = errno;
    (void)unlinkat(dir, part, text ? 0 : AT_REMOVEDIR);
    close(fd);
    errno = why;
    return -1;
}

static int
add_placeholder(struct protect *p, int fd, char *path, const char *text,
                struct err *e)
{
    struct protect_placeholder *placeholders = protect_grow(
        p->placeholders, p->n_placeholders, sizeof(*placeholders), e);
    struct rlimit files;

    if (placeholders)
        p->placeholders = placeholders;
    if (!placeholders || !path) {
        close(fd);
        free(path);
        return -1;
    }
    placeholders[p->n_placeholders++] = (struct protect_placeholder){fd, path,
                                                                     text};
    if (p->n_placeholders == PLACEHOLDERS_FEW &&
        getrlimit(RLIMIT_NOFILE, &files) == 0 &&
        files.rlim_cur < files.rlim_max) {
        p->files = files.rlim_cur;
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    return 0;
}

void
protect_lower_fd_limit(const struct protect *p)
{
    struct rlimit files;

    if (p->files == 0 || getrlimit(RLIMIT_NOFILE, &files) < 0)
        return;
    files.rlim_cur = p->files;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

static int
stop_at_entry(const struct protect_scan *s, struct protect_place *at,
              const struct dirent64 *entry, struct err *e)
{
    (void)s;
    (void)at;
    (void)entry;
    (void)e;
    return -1;
}

static bool
has_text(int fd, const char *text)
{
    char got[PATH_MAX];
    size_t n = strlen(text);

    return pread(fd, got, sizeof(got), 0) == (ssize_t)n &&
           memcmp(got, text, n) == 0;
}

/* Returns whether a file or directory is a placeholder. An empty one is
 * recognized by its date; one with a text by the text, which changes nothing,
 * since a command may have copied it. */
static bool
is_placeholder(int fd, const char *text)
{
    struct protect_place at = {.fd = fd, .path = ""};
    struct stat st;

    if (fstat(fd, &st) < 0 || st.st_nlink == 0)
        return false;
    if (text && *text)
        return S_ISREG(st.st_mode) && has_text(fd, text);
    if (st.st_mtime != made_by_us[1].tv_sec)
        return false;
    return text ? S_ISREG(st.st_mode) && st.st_size == 0
                : S_ISDIR(st.st_mode) && lseek(fd, 0, SEEK_SET) == 0 &&
                      protect_walk(NULL, &at, stop_at_entry, NULL) == 0;
}

/* Returns whether the file was unlinked while it was open. */
static bool
is_unlinked(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

static int
open_placeholder(int dir, const char *name)
{
    return openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int
protect_add_placeholder(const struct protect_scan *s,
                        const struct protect_place *at, const char *name,
                        const char *text, bool *lent, struct err *e)
{
    *lent = false;
    for (int i = 0; i < TRIES; i++) {
        CLEANUP(fd_close_p)
        int fd = protect_exists(at->fd, name)
                     ? open_placeholder(at->fd, name)
                     : create_placeholder(at->fd, name, text);

        if (fd < 0 && errno != EEXIST && errno != ENOENT)
            return 0; /* whoever denies us access keeps it */
        if (fd >= 0 && !is_placeholder(fd, text) && !is_unlinked(fd))
            return 0; /* it belongs to somebody else */
        if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0 &&
            is_placeholder(fd, text)) {
            *lent = true;
            return add_placeholder(s->p, TAKE_FD(fd),
                                   protect_join(at->path, name, e), text, e);
        }
    }
    return err_set(e, ERR_SANDBOX, "%s/%s is not kept", at->path, name);
}

/* Removes a placeholder, unless another launcher relies on it or somebody has
 * written to it. */
static bool
remove_placeholder(int dir, const char *name, int fd, const char *text)
{
    struct stat ours, named;

    return flock(fd, LOCK_EX | LOCK_NB) == 0 && is_placeholder(fd, text) &&
           fstat(fd, &ours) == 0 &&
           fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino &&
           unlinkat(dir, name, text ? 0 : AT_REMOVEDIR) == 0;
}

bool
protect_remove_placeholder_copy(int dir, const char *name, const char *text)
{
    CLEANUP(fd_close_p) int fd = open_placeholder(dir, name);

    return fd >= 0 && remove_placeholder(dir, name, fd, text);
}

static void
remove_kept_placeholder(const struct protect *p,
                        const struct protect_placeholder *x)
{
    char *slash = strrchr(x->path, '/');
    const char *name = slash ? slash + 1 : x->path;
    CLEANUP(free_p)
    char *above = strndup(x->path, slash ? (size_t)(slash - x->path) : 0);
    CLEANUP(fd_close_p) int dir = -1;

    if (above)
        dir = protect_reopen(p, above, O_PATH | O_DIRECTORY);
    if (dir >= 0)
        (void)remove_placeholder(dir, name, x->fd, x->text);
}

void
protect_remove_placeholders(struct protect *p)
{
    for (size_t i = 0; i < p->n_placeholders; i++) {
        remove_kept_placeholder(p, &p->placeholders[i]);
        fd_close_p(&p->placeholders[i].fd);
        free(p->placeholders[i].path);
    }
    free(p->placeholders);
    p->placeholders = NULL;
    p->n_placeholders = 0;
}
