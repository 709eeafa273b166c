# SPDX-License-Identifier: GPL-3.0-or-later
"""test_mistyped.py - what is nearly a verb is asked about on a terminal."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal
from review import AI, MENU

QUESTION = "did you mean explain?"


def asked(h, words, *keys, cols=80):
    term = terminal.Terminal(h, [AI, "--offline", *words], cols=cols)
    for text, key in keys:
        if not term.wait_for(text):
            break
        term.send(key)
    return term, term.finish()


def main():
    t = tap.Tap()
    with home.Home() as h:
        term, status = asked(h, ["exlpain", "ls", "-l"], (QUESTION, ""),
                             (MENU, "y"))
        t.ok(status == 0 and "list directory contents" in term.text(),
             "y is the verb that was meant, with all words behind it", status,
             term.text())
    with home.Home() as h:
        term, status = asked(h, ["rnu", "list", "files", "--dry-run"],
                             ("did you mean run?", ""), (MENU, "y"))
        t.ok(status == 0 and "  ls" in term.text(),
             "options behind the text are read as that verb's", status,
             term.text())
    with home.Home() as h:
        term, status = asked(h, ["--dry-run", "exlpain", "ls"],
                             (QUESTION, ""), (MENU, "y"))
        t.ok(status == 2 and "--dry-run" in term.text(),
             "and those before it are held against it", status, term.text())
    with home.Home() as h:
        open(h.path("exlpain"), "w", encoding="utf-8").close()
        term, status = asked(h, ["exlpain"], (QUESTION, ""), (MENU, "n"))
        t.ok(status not in (2, 130) and "nothing was asked" not in term.text(),
             "n takes it for a word of the text", status, term.text())
    for key, wanted in (("q", 2), ("\r", 2), ("\x04", 2), ("\x03", 130)):
        with home.Home() as h:
            term, status = asked(h, ["exlpain", "ls"], (QUESTION, ""),
                                 (MENU, key))
            t.ok(status == wanted and "list directory" not in term.text(),
                 "%r asks nothing: exit %d" % (key, wanted), status,
                 term.text())
    with home.Home() as h:
        term, _ = asked(h, ["exlpain", "ls"], (MENU, "q"), cols=40)
        wide = max(len(line) for line in term.text().splitlines())
        t.ok(wide <= 40, "the question fits a narrow screen", wide,
             term.text())
    t.done()


main()
