# SPDX-License-Identifier: GPL-3.0-or-later
"""conversation.py - what the conversation of a shell costs each ai line,
beside the same line where no shell is known."""

import os
import subprocess
import time

import servers
import shells
import table

QUESTION = ["explain", "what is a symbolic link"]
WISH = ["run", "--offline", "--dry-run", "show the date"]
KEPT = 20  # exchanges before
SHELL = {"AGENTSH_SESSION": "4711-1"}


def first_byte(bench, argv, env):
    """Microseconds until an answer begins."""
    begin = time.perf_counter_ns()
    with subprocess.Popen([bench.ai, *argv], cwd=bench.place.work,
                          env={**bench.place.env, **env},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as child:
        os.read(child.stdout.fileno(), 1)
        first = time.perf_counter_ns()
        child.stdout.read()
    if child.returncode != 0:
        raise RuntimeError("%s ended with %d" % (argv, child.returncode))
    return [(first - begin) / 1000]


def compare(bench, name, argv, env, limits):
    """Until it answers, and the CPU time of all of it: the line is kept after
    the answer."""
    for what, do, (text, value) in (
            ("until it answers", lambda more: first_byte(
                bench, argv, {**env, **more}), limits[0]),
            ("CPU", lambda more: bench.run([bench.ai, *argv],
                                           **env, **more)[1:2], limits[1])):
        ours, peer = bench.by_turns(lambda: do(SHELL), lambda: do({}),
                                    2 * bench.rounds)
        yield table.Row("%s in a conversation, %s" % (name, what), "us",
                        ours[0], peer[0], "alone",
                        table.at_most_more(text, value))


def in_shell(bench, shell):
    """Microseconds from Enter to the prompt behind the answer."""
    begin = time.perf_counter_ns()
    shell.run("%s --new explain what is a symbolic link" % bench.ai
              if shell.outer else "ai --new explain what is a symbolic link")
    if shell.status != 0:
        raise RuntimeError("a line ended with %d" % shell.status)
    return [(time.perf_counter_ns() - begin) / 1000]


def warm(bench):
    """A line of our own shell, whose model process is kept, beside the same
    line in bash, each of which starts one."""
    shells.write_rc(bench.place)
    with servers.Fast() as fast:
        ours = shells.repl(bench.place, **fast.env())
        ours.outer = False
        peer = shells.bash(bench.place, **fast.env())
        peer.outer = True
        try:
            kept, started = bench.by_turns(lambda: in_shell(bench, ours),
                                           lambda: in_shell(bench, peer),
                                           2 * bench.rounds)
        finally:
            for shell in (ours, peer):
                shell.send("exit\r")
                shell.finish()
    yield table.Row("a line in agentsh, the model process warm", "us",
                    kept[0], started[0], "in bash", table.at_most_times(1))


def rows(bench):
    for _ in range(KEPT):
        first_byte(bench, WISH, SHELL)
    yield from compare(bench, "ai run --offline", WISH, {},
                       (("1 ms", 1000), ("3 ms", 3000)))
    with servers.Fast() as fast:
        yield from compare(bench, "ai explain", QUESTION,
                           fast.env(), (("5 ms", 5000), ("6 ms", 6000)))
    yield from warm(bench)
