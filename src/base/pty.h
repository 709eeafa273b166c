/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pty.h - a pseudoterminal for commands.
 *
 * Both sides are open in this process: the slave to read its modes and to take
 * back keys that no command read. So the master has no end of file when the
 * commands end. */
#ifndef BASE_PTY_H
#define BASE_PTY_H

#include <stdbool.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/buf.h"

struct pty {
    int master; /* O_NONBLOCK */
    int slave;
    struct buf keys; /* not yet written to the master */
};

/* Opens both sides. modes NULL: those of a new terminal, which edits lines,
 * echoes, and turns ^C and the like into signals. */
int pty_open(struct pty *p, const struct winsize *size,
             const struct termios *modes, struct err *e);
/* Closes the slave when a command has ended: the master's end (read: EIO) is
 * then when what it left behind has closed it, too, and pty_take_back takes
 * nothing. Not before: a command may close the terminal, which is an end as
 * well, and open /dev/tty later. Accepts a pty whose descriptors are -1. */
void pty_leave(struct pty *p);
/* Accepts NULL, and a pty whose descriptors are -1. */
void pty_close(struct pty *p);

/* Types keys. False when some are still queued: call it again without bytes
 * when the master is writable, and add no more until then: 1 MiB is queued at
 * most, and keys beyond it are lost. */
bool pty_type(struct pty *p, const char *bytes, size_t n);
/* Takes back the keys that no command has read, complete lines or not, and
 * appends them. */
void pty_take_back(struct pty *p, struct buf *out);

#endif
