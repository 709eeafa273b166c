# SPDX-License-Identifier: GPL-3.0-or-later
"""test_emoji.py - signs of several characters are as wide as the terminal
says, and what is typed while it is asked is not lost."""

import json
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import tap
from terminal import Terminal
from test_tool_loop import Talk

HEART, THUMB = "\u2764\ufe0f", "\U0001f44d\U0001f3fd"
CODER, FLAG = "\U0001f469\u200d\U0001f4bb", "\U0001f1e9\U0001f1ea"
TABLE = ("|a|b|\n|---|---|\n|%s|x|\n|%s|x|\n|%s|x|\n|%s|x|\n|-----|x|\n" %
         (HEART, THUMB, CODER, FLAG))
ANSWER = {"text": json.dumps({"kind": "answer_only", "summary": TABLE})}
POSITION = "\x1b[6n"


def gaps(text):
    """Blanks behind each sign of the table."""
    lines = text.replace("\r", "").split("\n")
    return [len(line) - len(sign) - 1 for sign in (HEART, THUMB, CODER, FLAG)
            for line in lines if line.startswith(sign + " ")]


def ask(talk, widths, typed="", behind="", **env):
    """A terminal that shows the four samples so wide; it replies to nothing
    where widths is None. What is typed before the replies and behind them
    goes to a shell that reads a line."""
    words = " ".join(shlex.quote(word) for word in talk.words("explain"))
    term = Terminal(talk.home, ["bash", "--norc", "-c", words + "; read -r -t 5"
                                " line; echo got:$line:"], **env)
    asked = all(term.wait_for(POSITION, 20) for _ in range(4))
    if asked:
        replies = "".join("\x1b[1;%dR" % (n + 1) for n in widths or ())
        term.send(typed + replies + behind)
    term.wait_for("got:")
    term.finish()
    return term, asked


def test_asked(t):
    for widths, wanted in (([2, 2, 2, 2], [5, 5, 5, 5]),
                           ([1, 4, 4, 2], [6, 3, 3, 5]),
                           ([1, 4, 2, 4], [6, 3, 5, 3])):
        with Talk(ANSWER) as talk:
            term, asked = ask(talk, widths, behind="\r")
            t.ok(asked, "the terminal is asked", term.text())
            t.is_(gaps(term.text()), wanted,
                  "a terminal that says %r" % widths, term.text())
            t.ok("[1;" not in term.text() and "1;3R" not in term.text() and
                 term.is_sane(), "no reply is left for the shell",
                 repr(term.text()))


def may_put_back():
    with open("/proc/sys/dev/tty/legacy_tiocsti", encoding="ascii") as file:
        return file.read().strip() == "1" or os.geteuid() == 0


def test_typed(t):
    if not may_put_back():
        t.skip("keys", "this kernel lets nobody put keys back")
        return
    for typed, behind in (("hello", "\r"), ("hel", "lo\r"), ("", "hello\r")):
        with Talk(ANSWER) as talk:
            term, _ = ask(talk, [2, 2, 2, 2], typed, behind)
            t.ok("got:hello:" in term.text() and
                 gaps(term.text()) == [5, 5, 5, 5],
                 "%r before the reply and %r behind it are not lost" %
                 (typed, behind), repr(term.text()))


def test_pasted(t):
    """A line of a paste that is longer than any reply."""
    if not may_put_back():
        t.skip("a paste", "this kernel lets nobody put keys back")
        return
    text = "".join(str(n % 10) for n in range(3000))
    with Talk(ANSWER) as talk:
        term, _ = ask(talk, [2, 2, 2, 2], text, "\r")
        t.ok("got:%s:" % text in term.seen.replace("\r", ""),
             "no byte of a paste is lost", repr(term.seen[-4000:]))


def test_silent(t):
    for env, wanted in (({}, [6, 3, 3, 5]),
                        ({"TERM_PROGRAM": "WezTerm"}, [5, 5, 5, 5]),
                        ({"TMUX": "/nowhere,1,0"}, [6, 3, 5, 5])):
        with Talk(ANSWER) as talk:
            term, asked = ask(talk, None, "hello\r", **env)
            t.ok(asked and gaps(term.text()) == wanted,
                 "a terminal that does not reply goes by its name: %r" % env,
                 term.text())
            t.ok("got:hello:" in term.text(), "and loses no key",
                 repr(term.text()))


def test_not_asked(t):
    with Talk({"text": json.dumps({"kind": "answer_only",
                                   "summary": "caf\u00e9 \U0001f642"})}) as talk:
        term, _ = talk.on_tty(verb="explain")
        t.ok("caf\u00e9" in term.text() and POSITION not in term.seen,
             "where no sign needs it nothing is asked", repr(term.seen))


def main():
    t = tap.Tap()
    for test in (test_asked, test_typed, test_pasted, test_silent,
                 test_not_asked):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
