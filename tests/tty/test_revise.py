# SPDX-License-Identifier: GPL-3.0-or-later
"""test_revise.py - [w]ords in a review: another plan for the same wish."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
from review import AI, MENU, review, step
from terminal import Terminal
from test_tool_loop import Talk, act

ASKED = "What should change: "


def offline(h, *keys, wish="find files"):
    term = Terminal(h, [AI, "run", "--offline", *wish.split()])
    for text, key in keys:
        if not term.wait_for(text):
            break
        term.send(key)
    return term, term.finish()


def with_model(t):
    with Talk(act(step(1, "touch a.txt")), act(step(1, "touch a.jpg"))) as talk:
        term, status = talk.on_tty(keys=(
            (MENU, "w"), (ASKED, "only the jpg files, key sk-ant-api03-"
                          "abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJ\r"),
            (MENU, "r")))
        t.ok(status == 0 and os.path.exists(talk.home.path("a.jpg")) and
             not os.path.exists(talk.home.path("a.txt")),
             "a model is asked again, and only its new plan runs", status,
             term.text())
        sent = json.dumps(talk.sent(1)) if not isinstance(
            talk.sent(1), str) else talk.sent(1)
        t.ok("only the jpg files" in sent and "touch a.txt" in sent and
             "abcdefghijklmnopqrstuvwxyz" not in sent,
             "with its plan and the words, a secret in them redacted", sent)
        log = talk.home.run([AI, "log", "-o", "json"]).out + \
            talk.home.run([AI, "log", "1"]).out
        t.ok("abcdefghijklmnopqrstuvwxyz" not in log,
             "the record has no secret either", log)
    with Talk(act(step(1, "touch a"))) as talk:
        term, status = talk.on_tty(keys=((MENU, "w"), (ASKED, "\r"),
                                         (MENU, "w"), (ASKED, "\x04"),
                                         (MENU, "q")))
        t.ok(status == 5 and len(talk.server.requests) == 1,
             "an empty line and Ctrl-D go back and ask nobody", status,
             term.text())
    with Talk(act(step(1, "touch a"))) as talk:
        term, status = talk.on_tty(keys=((MENU, "w"), (ASKED, "\x03")))
        t.ok(status == 130 and term.is_sane(), "Ctrl-C ends it", status)
    with Talk(act(step(1, "touch a")), act(step(1, "rm -r b")),
              act(step(1, "touch c"))) as talk:
        term, status = talk.on_tty(keys=(
            (MENU, "w"), (ASKED, "x\r"), ("rm -r b", ""), (MENU, "w"),
            (ASKED, "y\r"), ("touch c", ""), (MENU, "r")))
        t.ok(status == 0 and os.path.exists(talk.home.path("c")),
             "as often as it takes", status, term.text())


def without_model(t):
    with home.Home() as h:
        with open(h.path("a.pdf"), "w", encoding="utf-8"), \
                open(h.path("b.txt"), "w", encoding="utf-8"):
            pass
        term, status = offline(h, (MENU, "w"), (ASKED, "only the pdf files\r"),
                               ("*.pdf", ""), (MENU, "r"))
        shown = term.text().rpartition("? run")[2]
        t.ok(status == 0 and "a.pdf" in shown and "b.txt" not in shown,
             "offline the words end the wish", status, term.text())
    with home.Home() as h:
        term, status = offline(h, (MENU, "w"), (ASKED, "frobnicate qux\r"),
                               ("cannot tell what", ""), (MENU, "q"))
        t.ok(status == 5 and term.text().count("-type f") == 2,
             "words that are not understood: it says so, and the plan stays",
             status, term.text())


def nobody(t):
    with home.Home() as h:
        term, status = review(h, step(1, "touch a"), keys=[
            (MENU, "w"), ("no model to ask", ""), (MENU, "q")])
        t.ok(status == 5 and "[w]ords" not in term.text(),
             "a saved plan has nobody to ask", status, term.text())


def main():
    t = tap.Tap()
    with_model(t)
    without_model(t)
    nobody(t)
    t.done()


if __name__ == "__main__":
    main()
