#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""model_faults.py - ai run against everything that a model server can do.

Every row of tests/lib/fault/table.py, in every wire format that it can be
played in: the exit status, what was run, how often the server was asked, and
that a failure is one line that does not hold the key.
"""

import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
from fault.server import Server  # noqa: E402
from fault.table import FAULTS  # noqa: E402

KEY = "sk-test-0123456789abcdefXYZ"
WORKERS = 4
SCRIPTED = ("wrong", "base")  # rows that are no faults by themselves
CONFIG = """[model]
connect_timeout_s = 2
first_byte_timeout_s = 2
idle_timeout_s = 2
total_timeout_s = 5
max_retries = 1
"""
WIRES = {
    "o": ("openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1"),
    "a": ("anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", ""),
    "g": ("gemini", "GEMINI_API_KEY", "GEMINI_BASE_URL", ""),
    "l": ("ollama", "OLLAMA_API_KEY", "OLLAMA_HOST", ""),
}


def play(server, row, letter):
    """One run of ai; the complaints about it, as lines."""
    provider, key, url, path = WIRES[letter]
    with home.Home() as place:
        place.config(CONFIG)
        got = place.run(
            [home.program("ai"), "run", "--yes", "--provider", provider,
             "--model", "fault:" + row.name, "note", "it"],
            **{key: KEY, url: "http://127.0.0.1:%d%s" % (server.port, path)})
        ran = place.read("ran.txt")
    asked = [r for r in server.requests
             if r["wire"] == provider and r["fault"] == row.name]
    return list(complaints(row, got, ran, len(asked)))


def complaints(row, got, ran, asked):
    fewest, most = row.requests
    if got.status != row.exit:
        yield "exit %d, not %d" % (got.status, row.exit)
    if ran not in ("", "good\n") or bool(ran) != row.ran:
        yield "what was run is %r" % ran
    if not fewest <= asked <= most:
        yield "%d requests, not %d to %d" % (asked, fewest, most)
    if KEY in got.out + got.err:
        yield "the key is shown"
    last = [line for line in got.err.splitlines() if line.startswith("ai: ")]
    if got.status and len(last) != 1:
        yield "not one line about it"


def main():
    t = tap.Tap()
    rows = [row for row in FAULTS.values() if row.name not in SCRIPTED]
    t.plan(len(rows) + 1)
    server = Server()
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        plays = {row.name: {letter: pool.submit(play, server, row, letter)
                            for letter in row.wires}
                 for row in rows}
        for row in rows:
            bad = ["%s: %s" % (letter, line)
                   for letter, run in plays[row.name].items()
                   for line in run.result()]
            t.ok(not bad, row.what, *bad)
    server.stop()
    left = home.strays()
    t.ok(not left, "no process is left behind", left)
    t.done()


main()
