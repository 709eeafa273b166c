/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fd.h - file descriptors: flags, pipes, locks, and writes that are complete.
 */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define FD_FIRST_FREE 10 /* above those that a child is started with */

/* Opens /dev/null, for reading, on each of descriptors 0 to 2 that is closed,
 * so that no file opened later becomes standard output. main calls it first. */
int fd_fill_standard(struct err *e);

int fd_set_nonblock(int fd, bool on, struct err *e);
int fd_set_cloexec(int fd, bool on, struct err *e);

/* Moves *fd to the number `to`, with CLOEXEC; what was open there is closed,
 * and *fd is -1 afterwards. */
int fd_move(int *fd, int to, struct err *e);

/* A pipe with both ends CLOEXEC: fds[0] reads, fds[1] writes. */
int fd_pipe(int fds[2], struct err *e);

/* Writes all n bytes. Waits for a slow reader for at most timeout_ms in total
 * (ERR_TIMEOUT); -1 waits without limit. ERR_PEER: the reader is gone (EPIPE).
 */
int fd_write_all(int fd, const void *bytes, size_t n, int timeout_ms,
                 struct err *e);

/* Locks an open file or directory exclusively (flock(2)). Waits for another
 * holder for at most timeout_ms (ERR_TIMEOUT). The lock is released when the
 * last copy of fd is closed. */
int fd_lock(int fd, int timeout_ms, struct err *e);

/* Opens the terminal on standard input once more, for reading only: for a child
 * that leads a session of its own and must not write to the terminal. *out is
 * the descriptor for its standard input, which the caller closes; -1 where ours
 * is no terminal. *again is true where the terminal is not our controlling one:
 * the child could then open it for writing through /proc, unless the sandbox
 * prevents that. ERR_SANDBOX: it cannot be opened for reading only. */
int fd_read_terminal(int *out, bool *again, struct err *e);

/* Makes a copy of fd the standard input of this process and its children. */
int fd_set_input(int fd, struct err *e);
/* From here on what is written to standard output or standard error (which)
 * goes to fd, which stays the caller's. */
int fd_set_output(int which, int fd, struct err *e);

#endif
