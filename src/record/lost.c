/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lost.c - events that a run lost and could not say so in the journal. */
#include "record/lost.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/path.h"

/* Others hold the lock for as long as it takes to read and set a length. */
#define LOCK_MS 1000

/* The file, locked; -1: none. */
static int
open_locked(const char *path, int flags, struct stat *st)
{
    CLEANUP(free_p) char *name = path_beside(path, "-lost");
    CLEANUP(fd_close_p) int fd = -1;

    if (!name)
        return -1;
    fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
    if (fd < 0 || fd_lock(fd, LOCK_MS, NULL) < 0 || fstat(fd, st) < 0 ||
        !S_ISREG(st->st_mode))
        return -1;
    return TAKE_FD(fd);
}

void
lost_note(const char *path, int64_t n)
{
    struct stat st;
    CLEANUP(fd_close_p) int fd = open_locked(path, O_CREAT, &st);

    if (fd >= 0)
        (void)!ftruncate(fd, st.st_size + n);
}

int64_t
lost_take(const char *path)
{
    struct stat st;
    CLEANUP(fd_close_p) int fd = open_locked(path, 0, &st);

    if (fd < 0 || st.st_size == 0 || ftruncate(fd, 0) < 0)
        return 0;
    return st.st_size;
}
