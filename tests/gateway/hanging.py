#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hanging.py - runs a program for which a directory can be made to hang, as one
of a file server that is away.

    unshare -Urm hanging.py FIFO PROGRAM WORD...

Whoever looks at the directory whose path is written to the FIFO waits, as long
as the program runs. That is so when the FIFO is gone."""

import ctypes
import os
import signal
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1


def hang(directory):
    """Mounts a file system that nobody answers for; it lasts as long as what
    is returned is open."""
    fuse = os.open("/dev/fuse", os.O_RDWR)
    if LIBC.mount(b"hanging", directory.encode(), b"fuse", 0,
                  b"fd=%d,rootmode=40000,user_id=0,group_id=0" % fuse) != 0:
        sys.exit(1)
    return fuse


def wait_for_word(fifo):
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    with open(fifo, encoding="utf-8") as f:
        directory = f.read()
    _fuse = hang(directory)
    os.unlink(fifo)
    while True:
        signal.pause()


def main():
    if len(sys.argv) == 2:  # whether it can be done here
        hang(sys.argv[1])
        return
    if os.fork() == 0:
        wait_for_word(sys.argv[1])
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
