# SPDX-License-Identifier: GPL-3.0-or-later
"""test_facts.py - tables of facts fit screens of 40 to 200 columns."""

import os
import re
import sys

import pexpect

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

SGR = re.compile(r"\x1b\[[0-9;]*m")


def shown(place, words, columns, **env):
    child = pexpect.spawn(
        home.program("agentsh"), words, dimensions=(50, columns), cwd="/",
        env={**place.env, "TERM": "xterm-256color", **env}, timeout=60,
        encoding="utf-8")
    child.expect(pexpect.EOF)
    return child.before, terminal.reap(child)


def main():
    t = tap.Tap()
    with home.Home() as place:
        for columns in (40, 60, 80, 200):
            for words in (["sysinfo"], ["services"], ["packages", "lib*"]):
                text, status = shown(place, words, columns)
                lines = SGR.sub("", text).splitlines()
                wide = max(map(len, lines), default=0)
                t.ok(status == 0 and 0 < wide <= columns,
                     "%s fits %d columns" % (words[0], columns),
                     "status %s, %d columns" % (status, wide), text)
        t.ok(SGR.search(shown(place, ["sysinfo"], 80)[0]),
             "a terminal gets colour")
        t.ok(not SGR.search(shown(place, ["sysinfo"], 80, NO_COLOR="1")[0]),
             "one that wants none gets none")
    t.done()


main()
