/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_policy.c - .agentsh, which is made for a run where it is missing. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/protect_in.h"

#define TRIES 8 /* against others that take theirs away */
#define FDS   2 /* of a bequest: the directory that it lies in, itself */

/* One that is empty and dated so was made for a run: also for one that could
 * not take it away, because it was killed. */
static const struct timespec made_by_us[] = {{.tv_sec = 0}, {.tv_sec = 0}};

/* Another launcher may take away the one that it made: who holds the lock of
 * one that is still there relies on it, and it stays. */
int
protect_lock_policy(struct protect *p, struct err *e)
{
    for (int i = 0; i < TRIES; i++) {
        bool made = mkdirat(p->dir, PROTECT_POLICY, 0777) == 0;
        bool barred = !made && (errno == EACCES || errno == EROFS);
        int fd = protect_open_dir(p->dir, PROTECT_POLICY);
        struct stat st;

        if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0 &&
            fstat(fd, &st) == 0 && st.st_nlink > 0) {
            if (made)
                (void)futimens(fd, made_by_us);
            p->policy = fd;
            p->policy_made = made || st.st_mtime == made_by_us[1].tv_sec;
            return 0;
        }
        if (fd < 0 && barred)
            return 0; /* nor can anybody inside make it */
        fd_close_p(&fd);
        if (fd < 0 && errno != ENOENT) /* a file, or not for us to read */
            return 0;
    }
    return err_set(e, ERR_SANDBOX, "%s/%s does not stay", p->root,
                   PROTECT_POLICY);
}

static bool
is_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* One that holds something, or that another relies on, stays. */
void
protect_drop_policy(int dir, int policy)
{
    struct stat ours, named;

    if (flock(policy, LOCK_EX | LOCK_NB) == 0 && fstat(policy, &ours) == 0 &&
        fstatat(dir, PROTECT_POLICY, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        is_one(&ours, &named))
        (void)unlinkat(dir, PROTECT_POLICY, AT_REMOVEDIR);
}

bool
protect_bequeath(const struct protect *p, int heir)
{
    const int fds[FDS] = {p->dir, p->policy};
    char control[CMSG_SPACE(sizeof(fds))] = {0};
    struct iovec byte = {(char[]){'P'}, 1};
    struct msghdr msg = {
        .msg_iov = &byte,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(fds));
    memcpy(CMSG_DATA(c), fds, sizeof(fds));
    return heir >= 0 && sendmsg(heir, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

static bool
receive(int line, int fds[FDS])
{
    char byte, control[CMSG_SPACE(FDS * sizeof(*fds))];
    struct iovec io = {&byte, 1};
    struct msghdr msg = {
        .msg_iov = &io,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    const struct cmsghdr *c = recvmsg(line, &msg, MSG_CMSG_CLOEXEC) == 1
                                  ? CMSG_FIRSTHDR(&msg)
                                  : NULL;

    if (!c || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len != CMSG_LEN(FDS * sizeof(*fds)))
        return false;
    memcpy(fds, CMSG_DATA(c), FDS * sizeof(*fds));
    return true;
}

void
protect_forget(struct protect_heir *h)
{
    fd_close_p(&h->dir);
    fd_close_p(&h->policy);
    h->dir = h->policy = -1;
}

void
protect_inherit(struct protect_heir *h, int line)
{
    struct stat old, new;
    int fds[FDS];

    if (!receive(line, fds))
        return;
    if (h->policy >= 0 && fstat(h->policy, &old) == 0 &&
        fstat(fds[1], &new) == 0 && is_one(&old, &new))
        protect_forget(h);
    else
        protect_release(h);
    *h = (struct protect_heir){fds[0], fds[1]};
}

void
protect_release(struct protect_heir *h)
{
    if (h->policy >= 0)
        protect_drop_policy(h->dir, h->policy);
    protect_forget(h);
}
