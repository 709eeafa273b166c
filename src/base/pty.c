/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pty.c - a pseudoterminal for commands. */
#include "base/pty.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define KEYS_MAX (1024 * 1024) /* bytes; see pty_type */

int
pty_open(struct pty *p, const struct winsize *size, const struct termios *modes,
         struct err *e)
{
    char name[64];

    *p = (struct pty){.slave = -1};
    buf_init(&p->keys, KEYS_MAX);
    p->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (p->master >= 0 && grantpt(p->master) == 0 && unlockpt(p->master) == 0 &&
        ptsname_r(p->master, name, sizeof(name)) == 0)
        p->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (p->slave < 0 || (modes && tcsetattr(p->slave, TCSANOW, modes) < 0) ||
        ioctl(p->master, TIOCSWINSZ, size) < 0) {
        err_sys(e, "pseudoterminal");
        pty_close(p);
        return -1;
    }
    return 0;
}

void
pty_leave(struct pty *p)
{
    fd_close_p(&p->slave);
    p->slave = -1;
}

void
pty_close(struct pty *p)
{
    if (!p)
        return;
    fd_close_p(&p->slave);
    fd_close_p(&p->master);
    buf_done(&p->keys);
    *p = (struct pty){.master = -1, .slave = -1};
}

bool
pty_type(struct pty *p, const char *bytes, size_t n)
{
    ssize_t done;

    buf_add(&p->keys, bytes, n);
    done = write(p->master, p->keys.p, p->keys.len);
    if (done > 0)
        buf_drop(&p->keys, (size_t)done);
    if (p->keys.len == 0)
        buf_clear(&p->keys); /* and take keys again where some were lost */
    return p->keys.len == 0;
}

/* The kernel moves bytes between the two sides in the background; a read waits
 * for that, so no byte that the master accepted is missed. */
void
pty_take_back(struct pty *p, struct buf *out)
{
    struct termios was, now;
    char bytes[4096];
    ssize_t n;

    if (tcgetattr(p->slave, &was) < 0)
        return;
    now = was;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = now.c_cc[VTIME] = 0;
    (void)tcsetattr(p->slave, TCSANOW, &now);
    while ((n = read(p->slave, bytes, sizeof(bytes))) > 0)
        buf_add(out, bytes, (size_t)n);
    (void)tcsetattr(p->slave, TCSANOW, &was);
    buf_add(out, p->keys.p, p->keys.len);
    buf_clear(&p->keys);
}
