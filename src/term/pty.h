/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pty.h - the pseudoterminal that commands live on.
 *
 * Both sides are open here: the slave's, to see its modes and to take back
 * keys that nobody read. As long as it is, the end of the commands is not seen
 * as an end of file. */
#ifndef TERM_PTY_H
#define TERM_PTY_H

#include <stdbool.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/buf.h"

struct pty {
    int master; /* O_NONBLOCK */
    int slave;
    struct buf keys; /* that the master has not taken yet */
};

int pty_open(struct pty *p, const struct winsize *size,
             const struct termios *modes, struct err *e);
/* Also one of zeroes with the descriptors -1. */
void pty_close(struct pty *p);

/* Keys, as if typed. False when some wait for the master to take them: call
 * again, with no bytes, when it can be written to. */
bool pty_type(struct pty *p, const char *bytes, size_t n);
/* Appends the keys that no one has read, complete lines or not. */
void pty_untype(struct pty *p, struct buf *out);

#endif
