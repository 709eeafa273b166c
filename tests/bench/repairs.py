# SPDX-License-Identifier: GPL-3.0-or-later
"""repairs.py - what the rules of ai fix cost on 64 KiB of text, in a process
that is already there."""

import os
import subprocess

import home
import table

TEXT_BYTES = 64 << 10
# A build log that no rule is about, and a message that many rules look for.
LINES = ("In file included from x.c:3: note: that says nothing\n",
         "cat: x: No such file or directory\n")
COMMANDS = ("make all", "git push", "cat x", "unheard of")


def rows(bench):
    worst = []
    path = os.path.join(bench.place.work, "shown")
    for _ in range(bench.rounds):
        taken = []
        for line in LINES:
            with open(path, "w", encoding="ascii") as file:
                file.write(line * (TEXT_BYTES // len(line)))
            for command in COMMANDS:
                done = subprocess.run(
                    [os.path.join(home.BUILDDIR, "tests", "fix",
                                  "print_repair"), command, "1", path, "10"],
                    cwd=bench.place.work, env=bench.place.env, check=True,
                    stdout=subprocess.PIPE)
                taken.append(int(done.stdout))
        worst.append(max(taken))
    yield table.Row("a repair by rules, 64 KiB of text, the slowest of 8", "us",
                    worst, None, "", table.at_most("5 ms", 5000))
