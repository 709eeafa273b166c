# SPDX-License-Identifier: GPL-3.0-or-later
"""test_clip.py - copying says what became of it, and eats no key."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
from review import AI, MENU, review, save, step

ASKED = "\x1b[c"  # a terminal is asked for its attributes


def answer(h, reply):
    """Presses c in a terminal that replies so."""
    term, _ = review(h, step(1, "touch a"), finish=False)
    term.wait_for(MENU)
    term.send("c")
    asked = term.wait_for(ASKED)
    term.send(reply)
    sent = term.wait_for("\x1b]52;c;")
    term.wait_for(MENU)
    term.send("q")
    status = term.finish()
    return term, asked and sent and status == 5


def test_terminal(t):
    for reply, notice in (("\x1b[?62;22;52c", "copied to the terminal's"),
                        ("\x1b[?62;22c", "cannot tell whether it has"),
                        ("\x1b[?1;2;152c", "cannot tell whether it has"),
                        ("", "cannot tell whether it has")):
        with home.Home() as h:
            term, good = answer(h, reply)
            t.ok(good and notice in " ".join(term.text().split()) and
                 term.is_sane(), "%r: %s" % (reply, notice), term.text())


def test_none(t):
    with home.Home() as h:
        term, _ = review(h, step(1, "touch a"), TERM="dumb",
                         keys=[(MENU, "c"), (MENU, "q")])
        t.ok("[c]opy" not in term.text() and "not copied" in term.text() and
             "\x1b]52" not in term.seen,
             "without a clipboard the key is not shown, and says why",
             term.text())
    with home.Home() as h:
        term, _ = review(h, step(1, "touch a"), TERM="linux",
                         keys=[(MENU, "c"), (MENU, "q")])
        t.ok("not copied" in term.text() and "\x1b]52" not in term.seen,
             "the console has none", term.text())


def in_tmux(h, value):
    """The screen after c in a tmux with that set-clipboard, and its buffer."""
    plan = save(h, step(1, "touch a"))
    socket = os.path.join(h.env["TMPDIR"], "s")

    def tmux(*words):
        return subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", *words],
                              cwd=h.work, env=h.env, capture_output=True,
                              text=True, check=False).stdout

    def screen():
        return " ".join(tmux("capture-pane", "-p", "-J").split())

    tmux("new-session", "-d", "-x", "100", "-y", "30", "sh", "-c",
         "tmux set -s set-clipboard %s; %s do --plan %s; cat" %
         (value, AI, plan))
    tap.poll(lambda: "[q]uit ?" in screen())
    tmux("send-keys", "c")
    tap.poll(lambda: screen().count("[q]uit ?") == 2)
    seen, held = screen(), tmux("show-buffer")
    tmux("send-keys", "q")
    tmux("kill-server")
    return seen, held


def test_tmux(t):
    if not shutil.which("tmux"):
        t.skip("tmux", "it is not here")
        return
    for value, notice, held in (
            ("on", "copied to tmux's buffer", "touch a\n"),
            ("external", "not copied: tmux accepts no text", ""),
            ("off", "set-clipboard is off", "")):
        with home.Home() as h:
            seen, buffer = in_tmux(h, value)
            t.ok(notice in seen and buffer == held,
                 "set-clipboard %s: %s" % (value, notice), seen, repr(buffer))


def main():
    t = tap.Tap()
    for test in (test_terminal, test_none, test_tmux):
        test(t)
    t.done()


main()
