/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_watch.c - is told by the kernel of changes to what was stamped. */
#include "sandbox/setup_watch.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"

#define EVENTS_BYTES 4096
#define READS_MAX    16 /* at a time; what is left counts the next time */

struct setup_watch {
    int inotify;
    int mounts; /* of our mount namespace: readable as one has changed */
    uint64_t count;
    bool broken;
};

struct setup_watch *
setup_watch_new(struct err *e)
{
    CLEANUP(setup_watch_free_p) struct setup_watch *w = calloc(1, sizeof(*w));

    if (!w) {
        err_nomem(e);
        return NULL;
    }
    w->mounts = -1;
    w->count = 1;
    w->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->inotify >= 0)
        w->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (w->mounts < 0) {
        err_sys(e, "inotify");
        return NULL;
    }
    return TAKE_PTR(w);
}

void
setup_watch_free(struct setup_watch *w)
{
    if (!w)
        return;
    fd_close_p(&w->inotify);
    fd_close_p(&w->mounts);
    free(w);
}

/* Whether all changes to the file system go through this kernel, and to the
 * inodes that are watched: in an overlay a file may get another one. */
static bool
is_changed_here(int fd)
{
    static const unsigned long kinds[] = {
        EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
        F2FS_SUPER_MAGIC, TMPFS_MAGIC,     RAMFS_MAGIC,
    };
    struct statfs fs;

    if (fstatfs(fd, &fs) < 0)
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if ((unsigned long)fs.f_type == kinds[i])
            return true;
    return false;
}

/* Another may be there for a moment: so the descriptor's is watched. */
bool
setup_watch_add(struct setup_watch *w, const char *path, const struct stat *is,
                bool names)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    uint32_t events = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_MASK_ADD;
    char name[sizeof("/proc/self/fd/") + 11];
    struct stat now;

    if (fd < 0 || fstat(fd, &now) < 0 || now.st_dev != is->st_dev ||
        now.st_ino != is->st_ino || !is_changed_here(fd))
        return false;
    if (names && S_ISDIR(now.st_mode))
        events |= IN_CREATE | IN_DELETE | IN_MOVE;
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    return inotify_add_watch(w->inotify, name, events) >= 0;
}

/* IN_IGNORED: something is not watched any more. */
static void
take_events(struct setup_watch *w, const char *p, const char *end)
{
    struct inotify_event event;

    for (; p < end; p += sizeof(event) + event.len) {
        memcpy(&event, p, sizeof(event));
        w->broken |= (event.mask & IN_IGNORED) != 0;
    }
}

uint64_t
setup_watch_count(struct setup_watch *w)
{
    struct pollfd both[] = {{.fd = w->inotify, .events = POLLIN},
                            {.fd = w->mounts, .events = POLLPRI}};
    char events[EVENTS_BYTES];
    ssize_t n;

    if (poll(both, ARRAY_SIZE(both), 0) == 0)
        return w->count;
    for (int i = 0; i < READS_MAX; i++) {
        if ((n = read(w->inotify, events, sizeof(events))) <= 0)
            break;
        take_events(w, events, events + n);
    }
    return ++w->count;
}

bool
setup_watch_is_whole(const struct setup_watch *w)
{
    return !w->broken;
}
