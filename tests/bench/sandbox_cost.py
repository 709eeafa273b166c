# SPDX-License-Identifier: GPL-3.0-or-later
"""sandbox_cost.py - what the sandbox costs, beside none and beside others."""

import os
import shutil
import subprocess

import home
import table

PROGRAM = ["sh", "-c", "true"]
OPENS = 10000


def bwrap_of(place):
    """The same view: all read-only, the workspace writable, home hidden."""
    argv = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev",
            "--proc", "/proc"]
    for path in ("/tmp", "/var/tmp", "/run", place.env["HOME"]):
        argv += ["--tmpfs", path]
    return argv + ["--bind", place.work, place.work, "--chdir", place.work]


def codex_of(_place):
    return [shutil.which("codex"), "sandbox", "-c",
            'sandbox_mode="workspace-write"', "--"]


PEERS = (("bwrap", bwrap_of, 0.6), ("codex", codex_of, 0.1))


def started(bench):
    """Starting a command, beside each peer that is here."""
    def ours():
        return bench.run([bench.agentsh, "exec", "--", *PROGRAM])

    spawn = os.path.join(home.BUILDDIR, "tests", "bench", "spawn")
    mine, bare = bench.by_turns(ours, lambda: bench.run([spawn, *PROGRAM]),
                                5 * bench.rounds)
    if any(mine[3]):
        raise RuntimeError("agentsh exec ended with %d" % max(mine[3]))
    yield table.Row("agentsh exec -- sh -c true", "us", mine[0], bare[0],
                    "C that spawns it", table.at_most_times(2))
    yield table.Row("agentsh exec, CPU", "us", mine[1], bare[1],
                    "C that spawns it", table.at_most_times(2.5))
    for name, argv_of, limit in PEERS:
        title = "agentsh exec beside " + name
        if not shutil.which(name):
            yield table.Skipped(title, name + " is not here")
            continue
        argv = [*argv_of(bench.place), *PROGRAM]
        mine, peer = bench.by_turns(ours, lambda a=argv: bench.run(a),
                                    2 * bench.rounds)
        if any(peer[3]):
            yield table.Skipped(title, "%s ended with %d"
                                % (name, max(peer[3])))
            continue
        yield table.Row(title, "us", mine[0], peer[0], name,
                        table.at_most_times(limit))


def opened(bench):
    """Opening a file inside, beside outside."""
    program = os.path.join(home.BUILDDIR, "tests", "bench", "opens")
    file = bench.place.path("file")
    with open(file, "w", encoding="ascii") as out:
        out.write("x")

    def run(*words):
        done = subprocess.run([*words, program, file, str(OPENS)],
                              cwd=bench.place.work, env=bench.place.env,
                              capture_output=True, text=True, check=True)
        return [int(done.stdout)]

    mine, bare = bench.by_turns(lambda: run(bench.agentsh, "exec", "--"), run)
    yield table.Row("%d opens in it" % OPENS, "us", mine[0], bare[0],
                    "outside", table.at_most_times(1.6))
