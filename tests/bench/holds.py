# SPDX-License-Identifier: GPL-3.0-or-later
"""holds.py - how long a server's loop was held at most, as its /metrics has it.

By the clock, so these rows run before other programs where they may. How it is
by the processor's time, and where: rows named ...-hold, of a build with
--enable-loop-report."""

import contextlib
import os
import re
import urllib.error
import urllib.request

import table

import tap


@contextlib.contextmanager
def before_others():
    """This, and what it starts, has the processors before other programs that
    want them, where it may."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def first(rows):
    """These rows, before others."""
    def run(bench):
        with before_others():
            yield from rows(bench)
    return run


def metrics(at):
    """None while the server takes no more connections."""
    try:
        with urllib.request.urlopen("http://%s:%d/metrics" % at,
                                    timeout=20) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as why:
        if why.code != 503:
            raise
        return None


def row(name, at):
    """One row, of a server that listens at (host, port)."""
    said = tap.poll(lambda: metrics(at)) or ""
    found = re.search(r"^agentsh_loop_longest_hold_microseconds (\d+)$", said,
                      re.M)
    if not found:
        raise RuntimeError("%s: /metrics has no longest hold" % name)
    return table.Row("%s, the loop held at most" % name, "us",
                     [int(found[1])], None, "", table.at_most("5 ms", 5000))
