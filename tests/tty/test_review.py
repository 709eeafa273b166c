# SPDX-License-Identifier: GPL-3.0-or-later
"""test_review.py - a plan on the screen: shown, asked about, run, ended."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

AI = home.program("ai")
MENU = "uit"  # of the last key; its first letter is styled


def step(number, command, **more):
    return {"id": str(number), "description": "Step %d" % number,
            "shell_command": command, **more}


def save(h, *steps, name="plan.json"):
    with open(h.path(name), "w", encoding="utf-8") as out:
        json.dump({"kind": "plan_and_commands", "summary": "A test",
                   "steps": list(steps)}, out)
    return h.path(name)


def review(h, *steps, keys=(), options=(), finish=True, **env):
    """Shows the plan and presses keys, each when its text was seen."""
    term = terminal.Terminal(
        h, [AI, "do", "--plan", save(h, *steps), *options], **env)
    for text, key in keys:
        if not term.wait_for(text):
            break
        term.send(key)
    return (term, term.finish()) if finish else (term, None)


def test_approval(t):
    with home.Home() as h:
        term, status = review(h, step(1, "echo one > a"),
                              step(2, "cat a; echo two"), keys=[(MENU, "r")])
        t.is_(status, 0, "an approved plan runs and is a success", term.text())
        t.ok("echo one > a" in term.text() and "one\ntwo" in
             term.text().replace("\r", ""),
             "the commands are shown, then their output", term.text())
        t.ok(term.is_sane() and term.no_one_left(),
             "the terminal is sane, no process is left")


def test_refusal(t):
    for key, name in (("q", "q"), ("\r", "Enter"), ("\x04", "Ctrl-D")):
        with home.Home() as h:
            term, status = review(h, step(1, "touch done"), keys=[(MENU, key)])
            t.ok(status == 5 and not os.path.exists(h.path("done")),
                 "%s means no: exit 5, nothing was run" % name, status,
                 term.text())
    with home.Home() as h:
        term, status = review(h, step(1, "touch done"), keys=[(MENU, "\x03")])
        t.ok(status == 130 and not os.path.exists(h.path("done")),
             "Ctrl-C at the question: exit 130", status)
        t.ok(term.is_sane(), "and the terminal is sane")


def test_word(t):
    for word, wanted in (("yes\r", 0), ("y\r", 5), ("\r", 5)):
        with home.Home() as h:
            term, status = review(
                h, step(1, "touch done", is_destructive=True),
                keys=[(MENU, "r"), ("Type yes", word)])
            t.ok(status == wanted and
                 os.path.exists(h.path("done")) == (wanted == 0),
                 "a destructive step and %r: exit %d" % (word, wanted),
                 status, term.text())


def test_steps(t):
    with home.Home() as h:
        _, status = review(h, step(1, "touch a"), step(2, "touch b"),
                           step(3, "touch c"), options=["--step"],
                           keys=[(MENU, "r"), (MENU, "r"), (MENU, "s"),
                                 (MENU, "r")])
        t.is_((status, sorted(os.listdir(h.work))),
              (0, ["a", "c", "plan.json"]), "--step runs some and skips others")
    with home.Home() as h:
        _, status = review(h, step(1, "touch a"), step(2, "touch b"),
                           keys=[(MENU, "s"), (MENU, "r"), (MENU, "q")])
        t.is_((status, sorted(os.listdir(h.work))), (5, ["a", "plan.json"]),
              "quitting between steps keeps the finished ones: exit 5")


def test_failure(t):
    with home.Home() as h:
        term, status = review(h, step(1, "exit 3"), step(2, "touch b"),
                              keys=[(MENU, "r"), ("exit status 3", ""),
                                    (MENU, "q")])
        t.ok(status == 1 and not os.path.exists(h.path("b")),
             "a failed step stops the plan: exit 1", status, term.text())
    with home.Home() as h:
        _, status = review(h, step(1, "test -e go || { touch go; exit 3; }"),
                           step(2, "touch b"),
                           keys=[(MENU, "r"), ("exit status 3", ""),
                                 (MENU, "r")])
        t.ok(status == 0 and os.path.exists(h.path("b")),
             "it can be tried again", status)
    with home.Home() as h:
        _, status = review(h, step(1, "exit 3"), step(2, "touch b"),
                           keys=[(MENU, "r"), ("exit status 3", ""),
                                 (MENU, "s")])
        t.ok(status == 1 and os.path.exists(h.path("b")),
             "skipped, the rest runs, and the status is still 1", status)


def test_edit(t):
    with home.Home() as h:
        editor = h.path("editor")
        with open(editor, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\nsed -i s/before/after/ \"$1\"\n")
        os.chmod(editor, 0o755)
        term, status = review(h, step(1, "touch before"), VISUAL=editor,
                              keys=[(MENU, "e"), ("touch after", ""),
                                    (MENU, "r")])
        t.ok(status == 0 and os.path.exists(h.path("after")) and
             not os.path.exists(h.path("before")),
             "an edited command is shown again and is what runs", status,
             term.text())
    with home.Home() as h:
        _, status = review(h, step(1, "touch before"), VISUAL="false",
                           keys=[(MENU, "e"), ("not edited", ""), (MENU, "q")])
        t.ok(status == 5 and not os.path.exists(h.path("before")),
             "e never runs anything, whatever the editor does", status)


def test_interrupt(t):
    with home.Home() as h:
        term, _ = review(h, step(1, "touch one"),
                         step(2, "setsid sleep 1000 & sleep 1000"),
                         keys=[(MENU, "r"), ("2/2", "")], finish=False)
        tap.poll(lambda: len([n for n in h.left().values()
                              if n.startswith("sleep")]) == 2)
        term.send("\x03")
        status = term.finish()
        t.is_(status, 130, "Ctrl-C in a step: exit 130", term.text())
        t.ok(term.no_one_left(), "its whole tree is gone", h.left())
        t.ok(term.is_sane() and os.path.exists(h.path("one")),
             "the terminal is sane, the finished step stays")


def test_hidden(t):
    with home.Home() as h:
        term, status = review(h, step(1, "echo a\u202eb\x1b[2Jc\u200b"),
                              keys=[(MENU, "q")])
        t.ok(status == 5 and all(shown in term.text() for shown in
                                 ("\\u202e", "\\x1b", "\\u200b")),
             "characters that hide are shown as escapes", term.text())
    with home.Home() as h:
        done = h.run([AI, "do", "-y", "--plan",
                      save(h, step(1, "echo a\u200b"))])
        t.is_(done.status, 5, "and --yes does not approve them", done.err)


def test_output_filter(t):
    with home.Home() as h:
        term, status = review(
            h, step(1, r"printf '\033]0;title\007\033[31mred\033[0m\033[2J'"),
            keys=[(MENU, "r")])
        t.ok(status == 0 and "\x1b]0;" not in term.seen and
             "\x1b[2J" not in term.seen and "\x1b[31mred" in term.seen,
             "of a command's output colours pass, titles and erasing do not",
             repr(term.seen))


def main():
    t = tap.Tap()
    for test in (test_approval, test_refusal, test_word, test_steps,
                 test_failure, test_edit, test_interrupt, test_hidden,
                 test_output_filter):
        test(t)
    t.done()


main()
