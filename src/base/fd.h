/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fd.h - descriptors: flags and whole writes. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Puts /dev/null where descriptors 0 to 2 are closed, so that no file of ours
 * becomes standard output: the first thing in main. Reading from it ends at
 * once, writing to it fails. */
int fd_fill_standard(struct err *e);

int fd_set_nonblock(int fd, bool on, struct err *e);
int fd_set_cloexec(int fd, bool on, struct err *e);

/* Makes *fd the descriptor `to`, CLOEXEC, instead of what that was; *fd is then
 * -1. */
int fd_move(int *fd, int to, struct err *e);

/* A pipe with both ends CLOEXEC: fds[0] reads, fds[1] writes. */
int fd_pipe(int fds[2], struct err *e);

/* Writes all n bytes, waiting where the descriptor would block, at most
 * timeout_ms in all (ERR_TIMEOUT); -1 waits for ever. EPIPE is ERR_PEER. */
int fd_write_all(int fd, const void *bytes, size_t n, int timeout_ms,
                 struct err *e);

/* Takes the lock (flock) of an open file or directory, waiting at most
 * timeout_ms for another program that holds it (ERR_TIMEOUT). It is given back
 * when the last copy of fd is closed. */
int fd_lock(int fd, int timeout_ms, struct err *e);

/* For a child that is to write nowhere but to its output, and leads a session
 * of its own, so that no terminal is its controlling one: *out is what its
 * standard input has to be where ours is a terminal, which it then reads and
 * cannot write to; -1 where ours is none. *again: it is not our controlling
 * one, so that the child could open it once more, to write, unless something
 * else keeps it from that. ERR_SANDBOX: nothing could. */
int fd_read_terminal(int *out, bool *again, struct err *e);

/* Makes a copy of fd our standard input, and that of our children. */
int fd_set_input(int fd, struct err *e);

#endif
