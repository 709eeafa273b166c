# SPDX-License-Identifier: GPL-3.0-or-later
"""wishes.py - what a wish costs that no model is asked for."""

import subprocess
import time

import table

WISHES = (
    "find all files larger than 10 MB in /var/log",
    "count the lines of notes.txt",
    "show the five processes that use most memory",
    "copy report.pdf to /srv/share",
    "replace 'old' by 'new' in all .conf files under /etc",
    "which program listens on port 8080",
)
P95 = 0.95


def ask(engine, wish):
    """Microseconds until the answer is there."""
    begin = time.perf_counter()
    engine.stdin.write(wish + "\n")
    engine.stdin.flush()
    if not engine.stdout.readline():
        raise RuntimeError("agentsh offline ended")
    return (time.perf_counter() - begin) * 1e6


def rows(bench):
    empty = [bench.agentsh, "offline"]
    ours, peer = bench.by_turns(lambda: bench.run(empty),
                                lambda: bench.run([bench.empty]))
    yield table.Row("agentsh offline, the index loaded", "us", ours[0],
                    peer[0], "empty C", table.at_most_more("5 ms", 5000))
    with subprocess.Popen(empty, env=bench.place.env, text=True,
                          stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as engine:
        times = sorted(ask(engine, wish) for wish in WISHES
                       for _ in range(4 * bench.rounds))
        engine.stdin.close()
    yield table.Row("agentsh offline, one wish, p95", "us",
                    [times[int(len(times) * P95)]], None, "",
                    table.at_most("5 ms", 5000))
