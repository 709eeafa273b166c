/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_loan.c - files that are made for a run where they are missing. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/protect_in.h"

#define TRIES     8   /* against others that take theirs away */
#define LOANS_FEW 256 /* that the usual limit of descriptors has room for */

/* One that is dated so was made for a run: also for one that could not take
 * it away, because it was killed. */
static const struct timespec made_by_us[] = {{.tv_sec = 0}, {.tv_sec = 0}};

/* It appears whole: git may look at any time. */
static int
make(int dir, const char *name, const char *text)
{
    char part[NAME_MAX + 1];
    ssize_t n = (ssize_t)strlen(text);
    int fd;

    snprintf(part, sizeof(part), "%.200s.agentsh-%d", name, (int)getpid());
    fd = openat(dir, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    if (write(fd, text, (size_t)n) == n && futimens(fd, made_by_us) == 0 &&
        renameat2(dir, part, dir, name, RENAME_NOREPLACE) == 0)
        return fd;
    (void)unlinkat(dir, part, 0);
    close(fd);
    return -1;
}

static int
add_loan(struct protect *p, int fd, char *path, struct err *e)
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
    loans[p->n_loans++] = (struct protect_loan){fd, path};
    if (p->n_loans == LOANS_FEW && getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    return 0;
}

static bool
is_loan(const struct stat *st, const char *text)
{
    return S_ISREG(st->st_mode) && st->st_nlink > 0 &&
           st->st_mtime == made_by_us[1].tv_sec &&
           st->st_size == (off_t)strlen(text);
}

int
protect_lend(const struct scan *s, const struct place *at, const char *name,
             const char *text, bool *lent, struct err *e)
{
    *lent = false;
    for (int i = 0; i < TRIES; i++) {
        int fd = make(at->fd, name, text);
        struct stat st;

        if (fd < 0 && errno != EEXIST && errno != ENOENT)
            return 0; /* whoever keeps us from it, keeps it */
        if (fd < 0)
            fd = openat(at->fd, name,
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0 &&
            fstat(fd, &st) == 0 && is_loan(&st, text)) {
            *lent = true;
            return add_loan(s->p, fd, protect_below(at->path, name, e), e);
        }
        fd_close_p(&fd);
        if (fstatat(at->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            !is_loan(&st, text))
            return 0; /* somebody's own */
    }
    return err_set(e, ERR_SANDBOX, "%s/%s does not stay", at->path, name);
}

/* One that another relies on stays. */
static void
take_back(const struct protect *p, const struct protect_loan *loan)
{
    char *slash = strrchr(loan->path, '/');
    const char *name = slash ? slash + 1 : loan->path;
    CLEANUP(free_p)
    char *above = strndup(loan->path, slash ? (size_t)(slash - loan->path) : 0);
    CLEANUP(fd_close_p) int dir = -1;
    struct stat ours, named;

    if (above)
        dir = protect_reopen(p, above, O_PATH | O_DIRECTORY);
    if (dir >= 0 && flock(loan->fd, LOCK_EX | LOCK_NB) == 0 &&
        fstat(loan->fd, &ours) == 0 &&
        fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        ours.st_dev == named.st_dev && ours.st_ino == named.st_ino)
        (void)unlinkat(dir, name, 0);
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
