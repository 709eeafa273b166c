# SPDX-License-Identifier: GPL-3.0-or-later
"""usage.py - a server that is asked for long: its memory and descriptors.

    usage.run(pid, requests, ask)      ask(n) asks once, and checks the answer

The first tenth warms it up. After that it may grow by MORE bytes in all, and
have DESCRIPTORS more open; what a thread's pool takes is in that.
"""

import os
import time

import home

KIB = 1024
MORE = 2048 * KIB
DESCRIPTORS = 4


def resident(pid):
    """Bytes of memory that a process has in use."""
    with open("/proc/%d/statm" % pid, encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(pid):
    """How many it has open; None where the system hides them from its user,
    since the program cannot be dumped."""
    try:
        return len(os.listdir("/proc/%d/fd" % pid))
    except PermissionError:
        return None


def is_sanitized():
    """Memory that was freed stays for a while, and is not to be counted."""
    with open(home.program("agentsh-server"), "rb") as file:
        return b"__asan_init" in file.read()


def run(pid, requests, ask, forget=lambda: None):
    """Raises SystemExit when it grows."""
    begun, tenth = time.monotonic(), max(1, requests // 10)
    warm = None
    for n in range(requests):
        ask(n)
        if (n + 1) % tenth:
            continue
        forget()
        now = resident(pid), descriptors(pid) or 0
        warm = warm or now
        print("%7d requests, %5.0f s: %d KiB, %d descriptors" % (
            n + 1, time.monotonic() - begun, now[0] // KIB, now[1]),
              flush=True)
    if now[0] > warm[0] + MORE or now[1] > warm[1] + DESCRIPTORS:
        raise SystemExit("it grows")
