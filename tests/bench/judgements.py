# SPDX-License-Identifier: GPL-3.0-or-later
"""judgements.py - what one judgement of a command line costs, in a process that
is already there: reading, rules, profile."""

import glob
import json
import os
import subprocess

import home
import table

HERE = os.path.dirname(os.path.abspath(__file__))


def lines():
    """Those that the risk engine is measured by."""
    found = []
    for path in sorted(glob.glob(os.path.join(HERE, "..", "data", "risk",
                                              "*.jsonl"))):
        with open(path, encoding="utf-8") as f:
            found += [json.loads(line)["cmd"] for line in f if line.strip()]
    return found


def rows(bench):
    done = subprocess.run(
        [os.path.join(home.BUILDDIR, "tests", "bench", "judge"),
         str(bench.rounds)], cwd=bench.place.work, env=bench.place.env,
        input=b"".join(line.encode() + b"\0" for line in lines()),
        stdout=subprocess.PIPE, check=True)
    rounds = [[float(word) for word in line.split()]
              for line in done.stdout.decode().splitlines()]
    yield table.Row("a judgement of a line, the median", "us",
                    [turn[1] for turn in rounds], None, "",
                    table.at_most("60 us", 60))
    # some look for the processes or the files that would be lost
    yield table.Row("the same, the mean", "us", [turn[0] for turn in rounds],
                    None, "", table.for_comparison())
