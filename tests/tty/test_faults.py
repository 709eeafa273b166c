# SPDX-License-Identifier: GPL-3.0-or-later
"""test_faults.py - every fault of a model server, in every wire format, ends
in an answer or in one clear line, and never in a wrong command."""

import concurrent.futures
import re

import faults
import tap
from fault.script import FAULTS
from fault.server import Server

# Where a limit has to pass: seconds.
LIMITS = {"hang": {"first": 1}, "stall": {"idle": 1}, "drip": {"total": 3},
          "drip-noise": {"total": 3}}
LONG = 20  # seconds: less than what patience allows, more than any needs
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]|\nai: all")


def complaints(row, letter, server, home, result):
    """All that is wrong with how it went."""
    out = result.out + result.err
    sent = [r for r in server.requests if r["fault"] == row.name
            and r["wire"] == faults.WIRES[letter]]
    fewest, most = row.requests
    if result.status != row.exit:
        yield "exit status %d, not %d" % (result.status, row.exit)
    if home.read("ran.txt") != ("good\n" if row.ran else ""):
        yield "what was run left %r" % home.read("ran.txt")
    if not fewest <= len(sent) <= most:
        yield "%d requests, not %d to %d" % (len(sent), fewest, most)
    if faults.KEY[:12] in out:
        yield "the key was shown"
    if CONTROL.search(out):
        yield "control characters were shown"
    if result.seconds > LONG:
        yield "it took %.0f seconds" % result.seconds
    if row.says not in result.err:
        yield "it does not say %r" % row.says
    if row.exit and not is_one_clear_line(result):
        yield "that is not one clear line"
    if not tap.poll(lambda: not home.left(), 5):  # the disk is written
        yield "left running: %r" % home.left()


def is_one_clear_line(result):
    """On standard error alone, as the last line and the only one that is not
    about a retry; short enough to be read."""
    lines = [line for line in result.err.splitlines() if line.strip()]
    shown = [line for line in lines if "again" not in line or
            line is lines[-1]]
    return len(shown) == 1 and not result.out and 20 < len(shown[0]) < 400


def check(server, row, letter):
    """One fault on one wire: its name, and what is wrong."""
    name = "%s on %s: %s" % (row.name, faults.WIRES[letter], row.what)
    with faults.home_for(letter, server.url,
                         **LIMITS.get(row.name, {})) as home:
        result = home.run(faults.wish(letter, row.name, "run", "-y"))
        wrong = list(complaints(row, letter, server, home, result))
    return name, wrong, result


def main():
    t = tap.Tap()
    rows = tap.sample([(row, letter) for row in FAULTS.values()
                       for letter in row.wires if row.name not in ("wrong",)])
    t.plan(len(rows) + 1)
    with Server() as server, \
            concurrent.futures.ThreadPoolExecutor(4) as pool:
        for name, wrong, result in pool.map(
                lambda case: check(server, *case), rows):
            t.ok(not wrong, name, *wrong, result.err, result.out)
        t.is_([r["listener"] for r in server.requests
               if r["listener"] != "main"], [],
              "nothing is sent where a server redirects to")
    t.done()


if __name__ == "__main__":
    main()
