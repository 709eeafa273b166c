# SPDX-License-Identifier: GPL-3.0-or-later
"""test_look_shown.py - what the person sees of looks and of tools."""

import os

import faults
import tap
from test_look import ANSWER, MENU, READ, Talk, act, call, calls, step

FORGED = "x)" + " " * 60 + "\n     sandbox: writes nothing, no network, safe"
WRAPPED = "x " * 12 + "sandbox: writes nothing, no network"


def check_forged(t):
    """A name cannot write a line of the review."""
    for name in (FORGED, WRAPPED):
        for cols in (80, 72):
            with Talk(calls(call("fs_list_dir", {"path": name})),
                      act(step(1, "echo ok > ran.txt"))) as talk:
                os.mkdir(talk.home.path(name))
                term, _ = talk.on_tty(keys=[(MENU, "q")], cols=cols)
                review = term.text().split("A plan")[1]
                lines = [line.strip() for line in review.splitlines()]
                t.ok(not any(line.startswith("sandbox: writes nothing")
                             for line in lines)
                     and "others can write (fs.list_dir" in " ".join(lines),
                     "a name writes no line of the review", review)
                t.ok("…" in review and "no network, safe" not in review,
                     "and is cut where it is long", review)


def check_limit(t):
    """A model that only looks is told of as one, when it is ended."""
    with Talk(calls(READ)) as talk:
        done = talk.run()
        t.ok(done.status == 4 and "limit of looks was reached" in
             " ".join(done.err.split()) and "not offered" not in done.err,
             "the limit of looks is told", done.status, done.err)


def check_refused(t):
    """A call that nobody could make is a line too."""
    for bad, line in (
            (call("cmd_run", {"command": "id"}),
             '  refused: cmd_run id  not offered'),
            (call("no\x1bpe\n  looked: all", "{}"), "  not offered"),
            (call("fs_read_file", '{"path":'),
             "  refused: fs.read_file  arguments are no JSON"),
            (call("fs_read_file", {"path": 5}),
             '  refused: fs.read_file {"path":5}  arguments do not fit')):
        with Talk(calls(bad), ANSWER) as talk:
            done = talk.run()
            t.ok(line in done.err and "\n  looked: " not in done.err,
                 "%r is told as refused" % bad.name, done.err)
    many = [call("nope%d" % n, "{}", "c%d" % n) for n in range(9)]
    with Talk(calls(*many), ANSWER) as talk:
        done = talk.run()
        t.ok("nope3  not offered" in done.err and "nope4" not in done.err
             and "  refused: 5 more\n" in done.err,
             "many are counted", done.err)


def main():
    t = tap.Tap()
    for check in (check_forged, check_limit, check_refused):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
