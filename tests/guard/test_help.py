# SPDX-License-Identifier: GPL-3.0-or-later
"""test_help.py - where the guard takes --help or --version for all that a line
does, bash agrees: each line of help_lines is run behind the walls of the
sandbox with the option in every place, and where anything changed the guard
must have said that it writes, destroys, is unknown or cannot be read.

make check tries --help alone; FUZZ_SECONDS=1 both. Arguments are files of lines
to try instead. SHOW=1 tells of each line whether it acted.
"""

import collections
import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."),
                                "tests", "lib"))
import tap  # noqa: E402
from bash_runs import HERE, bash_ran, guard_read, has_sandbox  # noqa: E402

ACTS = 0x1 | 0x20 | 0x100 | 0x400 | 0x800
OPTIONS = ("--help", "--version")[:2 if os.environ.get("FUZZ_SECONDS") else 1]
WORD = re.compile(r"""\s*((?:'[^']*'|"[^"]*"|`[^`]*`|\$\([^)]*\)|[^\s'"`])+)""")


def with_option(line, option):
    """The line with the option behind each of its words; a lone ; is of find,
    an operator belongs to what follows."""
    words = [w if w != ";" else "\\;" for w in WORD.findall(line)]
    for i in range(1, len(words) + 1):
        if words[i - 1] not in (">", "<", "<<<"):
            yield " ".join(words[:i] + [option] + words[i:])


def read_lines(path):
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n") for line in f if line.strip()]


def main():
    t = tap.Tap()
    if not has_sandbox():
        t.skip_all("no sandbox or no /usr/bin/python3 here")
    lines = []
    for path in sys.argv[1:] or [os.path.join(HERE, "help_lines")]:
        for line in read_lines(path):
            for option in OPTIONS:
                lines += with_option(line, option)
    counts, missed = collections.Counter(), []
    for line, acted, (facts, _) in zip(lines, bash_ran(lines, True),
                                       guard_read(lines)):
        says = bool(facts & ACTS)
        counts["%s, and the guard says that it %s" % (
            "acted" if acted else "did nothing",
            "may" if says else "does not")] += 1
        if acted and not says:
            missed.append(line)
        if os.environ.get("SHOW"):
            t.diag("%s %s %s" % ("acted" if acted else "-----",
                                 "says" if says else "----", line))
    for what, n in counts.most_common():
        t.diag("%6d %s" % (n, what))
    t.ok(not missed, "no line acts that the guard takes for help",
         *missed[:60])
    t.done()


main()
