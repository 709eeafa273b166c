# SPDX-License-Identifier: GPL-3.0-or-later
"""repl.py - what the REPL costs beside bash: its start, the echo of a key, its
memory, and 100 MB of lines. Both are on a terminal that only reads."""

import os
import shutil
import time

import prompts
import table

MB = 1000 * 1000
LINES_BYTES = 100 * MB
LINE = "line %d: the quick brown fox jumps over a dog\n"
PROMPT = "> "
KEYS = 40  # on one line of a terminal
ROUNDS_OF_LINES = 5
START_MS, KEY_US, MEMORY_MB, LINES_TIMES = 7, 120, 3, 1.2


def shells(bench):
    """How each is started, by name. script, of util-linux, has a second
    terminal between as the REPL has, and does nothing with what it reads but
    writing it to /dev/null."""
    bash = ["bash", "-i"]
    every = {"repl": [bench.agentsh], "bash": bash}
    if shutil.which("script"):
        every["script"] = ["script", "-q", "-c", " ".join(bash), "/dev/null"]
    return every


def environment(bench):
    """All read one start-up file."""
    with open(os.path.join(bench.place.env["HOME"], ".bashrc"), "w",
              encoding="ascii") as out:
        out.write("PS1='%s'\n" % PROMPT)
    return {**bench.place.env, "TERM": "xterm"}


def begun(argv, env):
    """A shell at its first prompt, and the microseconds until then."""
    begin = time.perf_counter()
    shell = prompts.Shell(argv, env)
    shell.type_until("", PROMPT)
    return shell, (time.perf_counter() - begin) * 1e6


def ended(shell):
    """Ends the shell as a person does; what it and its children took."""
    os.write(shell.fd, b"exit\r")
    try:
        while os.read(shell.fd, 65536):
            pass
    except OSError:
        pass
    used = os.wait4(shell.pid, 0)[2]
    os.close(shell.fd)
    return (used.ru_utime + used.ru_stime) * 1e6


def life(argv, env):
    """From the start to the prompt by the clock; a whole life on a
    processor."""
    shell, wall = begun(argv, env)
    return wall, ended(shell)


def keys(shell):
    """Microseconds from a key to its echo: by the clock, and on a processor
    of the process that edits the line."""
    os.write(shell.fd, b"\x15")  # the line anew
    shell.type_until("x", "x")
    wall, cpu = time.perf_counter(), shell.cpu_ns()
    for _ in range(KEYS):
        shell.type_until("y", "y")
    return ((time.perf_counter() - wall) * 1e6 / KEYS,
            (shell.cpu_ns() - cpu) / 1e3 / KEYS)


def proportional_kb(pid):
    """Memory of a process and all below it, what is shared by parts."""
    total = 0
    with open("/proc/%d/smaps_rollup" % pid, encoding="ascii") as file:
        total += next(int(line.split()[1]) for line in file
                      if line.startswith("Pss:"))
    with open("/proc/%d/task/%d/children" % (pid, pid),
              encoding="ascii") as file:
        return total + sum(proportional_kb(int(word))
                           for word in file.read().split())


def lines(shell, path):
    """Microseconds until 100 MB of lines are shown."""
    shell.count += 1
    mark = b"shown-%d\r\n" % shell.count
    begin, tail = time.perf_counter(), b""
    os.write(shell.fd, b"cat %s; printf '%%s-%%s\\n' shown %d\r"
             % (path.encode(), shell.count))
    while mark not in tail:
        tail = tail[-len(mark):] + os.read(shell.fd, 65536)
    return (time.perf_counter() - begin) * 1e6


def lines_row(bench, env):
    path = os.path.join(bench.place.root, "lines")
    with open(path, "w", encoding="ascii") as out:
        left, at = LINES_BYTES, 0
        while left > 0:
            at += 1
            left -= out.write(LINE % at)
    live = {name: begun(argv, env)[0]
            for name, argv in shells(bench).items()}
    taken = {name: [] for name in live}
    try:
        for shell in live.values():
            lines(shell, path)
        for _ in range(ROUNDS_OF_LINES):
            for name, shell in live.items():
                before = shell.cpu_ns()
                taken[name].append((lines(shell, path),
                                    (shell.cpu_ns() - before) / 1e3))
    finally:
        for shell in live.values():
            shell.close()
    times = {name: list(zip(*turns)) for name, turns in taken.items()}
    yield table.Row("100 MB of lines in the REPL", "us", times["repl"][0],
                    times["bash"][0], "bash",
                    table.at_most_times(LINES_TIMES))
    if "script" in times:
        yield table.Row("100 MB of lines in the REPL", "us", times["repl"][0],
                        times["script"][0], "script",
                        table.for_comparison())
        yield table.Row("the same, CPU of the relay alone", "us",
                        times["repl"][1], times["script"][1], "script",
                        table.for_comparison())


def rows(bench):
    env = environment(bench)
    every = shells(bench)
    ours, peer = bench.by_turns(lambda: life(every["repl"], env),
                                lambda: life(every["bash"], env))
    yield table.Row("a start of the REPL", "us", ours[0], peer[0], "bash",
                    table.at_most("%d ms" % START_MS, START_MS * 1000))
    yield table.Row("a start of the REPL, and its end, CPU", "us", ours[1],
                    peer[1], "bash", table.at_most_more("%d ms" % START_MS,
                                                        START_MS * 1000))
    one, other = (begun(every[name], env)[0] for name in ("repl", "bash"))
    try:
        ours, peer = bench.by_turns(lambda: keys(one), lambda: keys(other))
        sizes = [[proportional_kb(shell.pid)] for shell in (one, other)]
    finally:
        one.close()
        other.close()
    for at, what in enumerate(("", ", CPU")):
        yield table.Row("the echo of a key in the REPL" + what, "us",
                        ours[at], peer[at], "bash",
                        table.at_most("0.12 ms", KEY_US))
    yield table.Row("the REPL with its bash, resident", "kb", sizes[0],
                    sizes[1], "bash alone",
                    table.at_most_more("%d MB" % MEMORY_MB,
                                       MEMORY_MB * 1024))
    yield from lines_row(bench, env)
