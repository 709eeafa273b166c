#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_recipes_page.py - every example of agentsh-recipes(7) does what the
page says. The page's own comment tells how it is written."""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402
from fault.server import Server  # noqa: E402

PAGE = os.path.join(home.SRCDIR, "man", "agentsh-recipes.7")
WAYS = ("setup", "answer", "needs")


def unescape(line):
    return line.removeprefix(r"\&").replace(r"\e", "\\")


def displays(text):
    """(section, {way: words}, lines) of each display."""
    section, ways, lines, inside = "", {}, [], False
    for line in text.splitlines():
        comment = re.match(r'\.\\" (\w+): (.*)', line)
        if line.startswith(".Sh "):
            section, ways = line[4:], {}
        elif line.startswith(".Bd -literal"):
            inside, lines = True, []
        elif line == ".Ed":
            yield section, ways, lines
            inside, ways = False, {}
        elif inside:
            lines.append(unescape(line))
        elif comment and comment[1] in WAYS:
            ways[comment[1]] = comment[2]


def commands(lines):
    """(command, what it prints) of a display."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif line.startswith("> "):
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1].append(line)
    return found


def fits(told, seen):
    """"..." alone is any lines, none too; within a line any text."""
    pattern = ""
    for line in told:
        if line == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r".*".join(re.escape(p) for p in line.split("...")) \
                + r"\n"
    seen = seen.strip("\n") + "\n" if seen.strip("\n") else ""
    return re.fullmatch(pattern, seen) is not None


def run(place, command, ways, path):
    script = "PATH=%s:$PATH\n%s\n" % (path, command)
    if "answer" not in ways:
        return place.run(["bash", "-c", "exec 2>&1\n" + script]).out
    term = terminal.Terminal(place, ["bash", "-c", script])
    for word in ways["answer"].split():
        if term.wait_for("Type one of"):
            term.send(word + "\r")
    term.finish()
    return term.text()


def main():
    t = tap.Tap()
    t.once()
    with open(PAGE, encoding="utf-8") as page:
        all_displays = list(displays(page.read()))
    t.ok(sum(len(commands(lines)) for _, _, lines in all_displays) > 25,
         "the page has examples")
    t.ok(fits(["a", "...", "b...d"], "a\nx\ny\nbcd\n") and fits(["..."], "")
         and not fits(["a"], "b\n") and not fits(["a..."], "a\nb\n"),
         "what is printed is compared")
    path = os.path.abspath(home.BUILDDIR)
    last, place = None, None
    with Server() as server:
        for section, ways, lines in all_displays:
            if section != last:
                if place:
                    place.done()
                place, last = home.Home(), section
            if "setup" in ways:  # for the displays behind it too
                place.run(["bash", "-c", "PATH=%s:$PATH\n%s\n" %
                           (path, ways["setup"])])
            if "needs" in ways and not tap.is_here(ways["needs"]):
                continue
            for command, told in commands(lines):
                command = command.replace("127.0.0.1:8080",
                                          "127.0.0.1:%d" % server.port)
                seen = run(place, command, ways, path)
                t.ok(fits(told, seen), "%s: %s" %
                     (section, command.split("\n")[0]), told, seen)
        place.done()
    t.done()


if __name__ == "__main__":
    main()
