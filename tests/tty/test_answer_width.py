# SPDX-License-Identifier: GPL-3.0-or-later
"""test_answer_width.py - answers without a model fit screens of 40 columns
and more: no word is parted where the screen ends. The command itself is whole,
to be copied."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal
from review import AI

COLUMNS = (40, 60, 80, 200)
QUESTIONS = ("how do I see which services failed",
             "how do i count the lines of notes.txt",
             "how do I undo the last commit",
             "what does xargs do")
LINES = ("tar -xzvf a.tar.gz -C sub", "find . -name '*.o' -delete",
         "ls -la | grep conf | wc -l")


def shown(words, columns):
    with home.Home() as h:
        term = terminal.Terminal(h, [AI, "--offline", *words], cols=columns)
        term.finish()
        return term.text()


def main():
    t = tap.Tap()
    for columns in COLUMNS:
        for text in QUESTIONS + LINES:
            words = ["explain", text]
            lines = re.sub(r"\r", "", shown(words, columns)).split("\n")
            command = next((line for line in lines
                            if line.startswith("    ")), lines[0])
            wide = [line for line in lines
                    if len(line) > columns and line != command]
            t.ok(len(lines) > 1 and not wide,
                 "%s: %d columns" % (text, columns), wide)
    t.done()


main()
