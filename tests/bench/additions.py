# SPDX-License-Identifier: GPL-3.0-or-later
"""additions.py - a step that nobody is asked about and that adds a file: the
view that it runs in, beside a step that only looks."""

import itertools
import json
import os
import tempfile

import table

VIEW_MS = 6  # at most, for the copy-on-write view and what is kept of it


def save(folder, name, command):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"kind": "command_sequence", "summary": "A plan", "steps": [
            {"id": "1", "description": "It", "shell_command": command}]}, out)
    return path


def kept(bench):
    """Each run adds a file of another name."""
    with tempfile.TemporaryDirectory() as folder:
        looks = save(folder, "looks.json", "true")
        names = itertools.count()

        def add():
            plan = save(folder, "adds.json", ": >new-%d" % next(names))
            return bench.run([bench.ai, "run", "-y", "-q", "--plan", plan])

        ours, peer = bench.by_turns(
            add,
            lambda: bench.run([bench.ai, "run", "-y", "-q", "--plan", looks]),
            2 * bench.rounds)
        yield table.Row("a step that adds a file", "us", ours[0], peer[0],
                        "one that looks",
                        table.at_most_more("%d ms" % VIEW_MS, VIEW_MS * 1000))
