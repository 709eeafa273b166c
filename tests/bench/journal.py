# SPDX-License-Identifier: GPL-3.0-or-later
"""journal.py - what it costs to keep a run, beside the same run unkept."""

import os
import tempfile

import servers
import table

COMMAND_LINE = "tar -xzvf a.tgz -C /srv"


def kept(bench):
    """The settings are in a directory of their own: the two runs differ in
    nothing else. Most of the work is done while the model thinks."""
    with tempfile.TemporaryDirectory() as folder, servers.Fast() as fast:
        os.makedirs(os.path.join(folder, "agentsh"), 0o700)
        with open(os.path.join(folder, "agentsh", "config"), "w",
                  encoding="utf-8") as out:
            out.write("[record]\njournal = no\n")
        for title, words, env, limit in (
                ("a model at once", [], fast.env(), 0.5),
                ("offline", ["--offline"], {}, 2)):
            argv = [bench.ai, "explain", *words, COMMAND_LINE]
            ours, peer = bench.by_turns(
                lambda: bench.run(argv, **env),
                lambda: bench.run(argv, **env, XDG_CONFIG_HOME=folder),
                4 * bench.rounds)
            for at, (what, most) in enumerate((("", limit), (", CPU", 3))):
                yield table.Row(
                    "ai explain with its journal, %s%s" % (title, what), "us",
                    ours[at], peer[at], "without",
                    table.at_most_more("%g ms" % most, most * 1000))
