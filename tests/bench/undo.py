# SPDX-License-Identifier: GPL-3.0-or-later
"""undo.py - what it costs that a step can be undone: from the yes to the end,
beside the same with [record] undo_mb = 0."""

import os
import pty
import select
import time

import additions
import table

KEEP_MS, VIEW_MS = 1, 8
SECONDS = 20


def from_yes(bench, plan, undo):
    """Microseconds from the key to the end of the program, and its CPU."""
    config = os.path.join(bench.place.root, "undo-%d" % undo)
    if not os.path.isdir(config):
        os.makedirs(os.path.join(config, "agentsh"))
        with open(os.path.join(config, "agentsh", "config"), "w",
                  encoding="utf-8") as out:
            out.write("[record]\nundo_mb = %d\n" % undo)
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.chdir(bench.place.work)
            os.execve(bench.ai, [bench.ai, "do", "--plan", plan],
                      {**bench.place.env, "XDG_CONFIG_HOME": config,
                       "TERM": "dumb"})
        finally:
            os._exit(127)
    seen, begun, until = b"", None, time.monotonic() + SECONDS
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            got = os.read(terminal, 65536)
        except OSError:
            break
        if not got:
            break
        seen += got
        if not begun and b"uit ?" in seen:
            begun = time.monotonic()
            os.write(terminal, b"r")
    ended = time.monotonic()
    os.close(terminal)
    _, status, used = os.wait4(pid, 0)
    status = os.waitstatus_to_exitcode(status)
    if not begun or status != 0:
        raise RuntimeError("ai do ended with %d: %s" % (status, seen[-500:]))
    return [int((ended - begun) * 1e6),
            int((used.ru_utime + used.ru_stime) * 1e6)]


def undone(bench):
    with open(bench.place.path("notes"), "w", encoding="utf-8") as out:
        out.write("x" * 1000)
    with open(bench.place.path("Makefile"), "w", encoding="utf-8") as out:
        out.write("all:\n\t@echo more >> notes\n")
    for name, command, limit in (
            ("keeping the originals of a step", "echo more >> notes", KEEP_MS),
            ("a step in a view", "make", VIEW_MS)):
        plan = additions.save(bench.place.root, "undo.json", command)
        ours, peer = bench.by_turns(
            lambda p=plan: from_yes(bench, p, 256),
            lambda p=plan: from_yes(bench, p, 0), 4 * bench.rounds)
        for at, what in enumerate((name, name + ", CPU")):
            yield table.Row(what, "us", ours[at], peer[at], "without",
                            table.at_most_more("%d ms" % limit, limit * 1000))
