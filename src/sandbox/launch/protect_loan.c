/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_loan.c - what is made for a run where it is missing. */
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
#include "sandbox/launch/protect_in.h"

#define TRIES     8   /* against others that take theirs away */
#define LOANS_FEW 256 /* that the usual limit of descriptors has room for */

/* One that is dated so was made for a run: also for one that could not take
 * it away, because it was killed. */
static const struct timespec made_by_us[] = {{.tv_sec = 0}, {.tv_sec = 0}};

/* Opens a new one; text NULL: a directory. */
static int
make_part(int dir, const char *part, const char *text)
{
    if (text)
        return openat(dir, part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return mkdirat(dir, part, 0777) < 0 ? -1 : protect_open_dir(dir, part);
}

/* It appears whole: git may look at any time. -1 with errno. */
static int
make(int dir, const char *name, const char *text)
{
    char part[NAME_MAX + 1];
    ssize_t n = text ? (ssize_t)strlen(text) : 0;
    uint64_t number; /* a command could make any name that it can guess */
    int fd, why;

    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        return -1;
    snprintf(part, sizeof(part), "%.200s.agentsh-%016" PRIx64, name, number);
    fd = make_part(dir, part, text);
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
add_loan(struct protect *p, int fd, char *path, const char *text, struct err *e)
{
    struct protect_loan *loans = protect_room(p->loans, p->n_loans,
                                              sizeof(*loans), e);
    struct rlimit files;

    if (loans)
        p->loans = loans;
    if (!loans || !path) {
        close(fd);
        free(path);
        return -1;
    }
    loans[p->n_loans++] = (struct protect_loan){fd, path, text};
    if (p->n_loans == LOANS_FEW && getrlimit(RLIMIT_NOFILE, &files) == 0 &&
        files.rlim_cur < files.rlim_max) {
        p->files = files.rlim_cur;
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    return 0;
}

void
protect_lower_files(const struct protect *p)
{
    struct rlimit files;

    if (p->files == 0 || getrlimit(RLIMIT_NOFILE, &files) < 0)
        return;
    files.rlim_cur = p->files;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

static int
find_entry(const struct scan *s, struct place *at, const struct dirent64 *entry,
           struct err *e)
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

/* Whether it is one that was made for a run. What is empty could be anybody's
 * but for its date; a text that changes nothing is told by itself, for a
 * command may have copied it. */
static bool
is_loan(int fd, const char *text)
{
    struct place at = {.fd = fd, .path = ""};
    struct stat st;

    if (fstat(fd, &st) < 0 || st.st_nlink == 0)
        return false;
    if (text && *text)
        return S_ISREG(st.st_mode) && has_text(fd, text);
    if (st.st_mtime != made_by_us[1].tv_sec)
        return false;
    return text ? S_ISREG(st.st_mode) && st.st_size == 0
                : S_ISDIR(st.st_mode) && lseek(fd, 0, SEEK_SET) == 0 &&
                      protect_walk(NULL, &at, find_entry, NULL) == 0;
}

/* Whether the file lost its name while it was open. */
static bool
is_gone(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

static int
open_loan(int dir, const char *name)
{
    return openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int
protect_lend(const struct scan *s, const struct place *at, const char *name,
             const char *text, bool *lent, struct err *e)
{
    *lent = false;
    for (int i = 0; i < TRIES; i++) {
        CLEANUP(fd_close_p)
        int fd = protect_has(at->fd, name) ? open_loan(at->fd, name)
                                           : make(at->fd, name, text);

        if (fd < 0 && errno != EEXIST && errno != ENOENT)
            return 0; /* whoever keeps us from it, keeps it */
        if (fd >= 0 && !is_loan(fd, text) && !is_gone(fd))
            return 0; /* somebody's own */
        if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0 && is_loan(fd, text)) {
            *lent = true;
            return add_loan(s->p, TAKE_FD(fd), protect_below(at->path, name, e),
                            text, e);
        }
    }
    return err_set(e, ERR_SANDBOX, "%s/%s is not kept", at->path, name);
}

/* One that another relies on stays, and so does what somebody wrote in. */
static bool
drop_loan(int dir, const char *name, int fd, const char *text)
{
    struct stat ours, named;

    return flock(fd, LOCK_EX | LOCK_NB) == 0 && is_loan(fd, text) &&
           fstat(fd, &ours) == 0 &&
           fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino &&
           unlinkat(dir, name, text ? 0 : AT_REMOVEDIR) == 0;
}

bool
protect_drop_copy(int dir, const char *name, const char *text)
{
    CLEANUP(fd_close_p) int fd = open_loan(dir, name);

    return fd >= 0 && drop_loan(dir, name, fd, text);
}

static void
take_back(const struct protect *p, const struct protect_loan *loan)
{
    char *slash = strrchr(loan->path, '/');
    const char *name = slash ? slash + 1 : loan->path;
    CLEANUP(free_p)
    char *above = strndup(loan->path, slash ? (size_t)(slash - loan->path) : 0);
    CLEANUP(fd_close_p) int dir = -1;

    if (above)
        dir = protect_reopen(p, above, O_PATH | O_DIRECTORY);
    if (dir >= 0)
        (void)drop_loan(dir, name, loan->fd, loan->text);
}

void
protect_take_back(struct protect *p)
{
    for (size_t i = 0; i < p->n_loans; i++) {
        take_back(p, &p->loans[i]);
        fd_close_p(&p->loans[i].fd);
        free(p->loans[i].path);
    }
    free(p->loans);
    p->loans = NULL;
    p->n_loans = 0;
}
