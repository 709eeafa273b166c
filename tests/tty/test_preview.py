# SPDX-License-Identifier: GPL-3.0-or-later
"""test_preview.py - what a command would change, on the screen, and the
question about it."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

AGENTSH = home.program("agentsh")
MENU = "ater"  # of the last key; its first letter is styled
DROP = "rop all of it?"
REFUSING = [home.program("tests/sandbox/refusing"), "clone3", "namespaces",
            "--"]
prefix = []  # where the command works on a copy of the workspace, REFUSING
SCRIPT = ("printf 'one\\nTWO\\n' >a; rm b; mkdir d; echo n >d/n; "
          "echo hello")


def files(h):
    """Every file of the working directory and what is in it."""
    found = {}
    for folder, _, names in os.walk(h.work):
        for name in names:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, h.work)] = h.read(path)
    return found


BEFORE = {"a": "one\ntwo\n", "b": "b\n"}
AFTER = {"a": "one\nTWO\n", "d/n": "n\n"}


def preview(h, *keys, script=SCRIPT, more=(), **size):
    for name, text in BEFORE.items():
        with open(h.path(name), "w", encoding="utf-8") as out:
            out.write(text)
    term = terminal.Terminal(
        h, [*prefix, AGENTSH, "exec", "--profile", "preview", *more, "--", "sh",
            "-c", script], **size)
    for key in keys:
        shown, key = key if isinstance(key, tuple) else (MENU, key)
        if not term.wait_for(shown):
            break
        term.send(key)
    return term, term.finish()


def left(h):
    return h.run([AGENTSH, "preview", "list"]).out.strip()


def test_keep(t):
    with home.Home() as h:
        term, status = preview(h, "k")
        text = term.text()
        t.ok(status == 0 and files(h) == AFTER and not left(h),
             "k keeps the changes", status, files(h), text)
        t.ok("hello" in text and "-two" in text and "+TWO" in text and
             "4 changes" in text and "- b" in text,
             "what changed is shown, with its lines where they are few", text)
        t.ok(term.is_sane() and term.no_one_left(),
             "the terminal is sane, no process is left")


def test_drop(t):
    with home.Home() as h:
        term, status = preview(h, "x", (DROP, "y"), script=SCRIPT + "; exit 4")
        t.ok(status == 4 and files(h) == BEFORE and not left(h),
             "x and yes drop them, the status is the command's", status,
             term.text())
    with home.Home() as h:
        term, status = preview(h, "x", (DROP, "n"), "k")
        t.ok(status == 0 and files(h) == AFTER,
             "x and no ask again, and nothing is lost", status, term.text())
    with home.Home() as h:
        term, status = preview(h, "x", (DROP, "x"), (DROP, "\r"),
                               "d", "l")
        t.ok(status == 0 and left(h) and term.text().count("-two") > 1,
             "no key drops them by itself, and d is the diff", status,
             term.text())


def test_later(t):
    for key, name, wanted in (("\r", "Enter", 0), ("\x04", "Ctrl-D", 0),
                              ("l", "l", 0), ("\x03", "Ctrl-C", 130)):
        with home.Home() as h:
            term, status = preview(h, key)
            t.ok(status == wanted and files(h) == BEFORE and left(h),
                 "%s loses nothing and keeps nothing: exit %d" %
                 (name, wanted), status, term.text())
            t.ok("agentsh preview show" in term.text() and term.is_sane(),
                 "%s says how to go on" % name, term.text())


def test_full(t):
    with home.Home() as h:
        script = "i=0; while [ $i -lt 60 ]; do echo $i >f$i; i=$((i+1)); done"
        term, status = preview(h, "d", "k", script=script, rows=200)
        text = term.text()
        t.ok(status == 0 and "and 36 more" in text and "+ f59" in text and
             h.read("f59") == "59\n",
             "a long list is cut, d shows the rest and asks again", text)


def test_folded(t):
    with home.Home() as h:
        script = ("mkdir -p m/n; i=0; while [ $i -lt 60 ]; do echo $i >m/n/f$i;"
                  " i=$((i+1)); done; mkdir x; ln -s /etc x/l; echo x >x/f")
        term, _ = preview(h, "l", script=script)
        text = term.text()
        t.ok("m/" in text and "with 61 inside" in text and "f59" not in text,
             "a new directory with much in it is one line", text)
        t.ok("x/l -> /etc" in text,
             "but not when something in it asks for a look", text)


def test_refused(t):
    with home.Home() as h:
        term = terminal.Terminal(
            h, [*prefix, AGENTSH, "exec", "--profile", "preview", "--", "sh",
                "-c", "echo x >a"])
        t.ok(term.wait_for(MENU), "a question comes", term.text())
        with open(h.path("a"), "w", encoding="utf-8") as out:
            out.write("mine\n")
        term.send("k")
        status = term.finish()
        t.ok(status == 1 and h.read("a") == "mine\n" and left(h) and
             "a: exists now" in term.text(),
             "an original that appeared while the question stood is refused",
             status, term.text())


def status_of(*words):
    with home.Home() as h:
        return h.run([*prefix, AGENTSH, "exec", *words, "--", "true"]).status


def main():
    t = tap.Tap()
    tried = False
    for walls in ([], REFUSING):
        prefix[:] = walls
        if status_of() == 125:
            continue  # nothing confines any command here
        tried = True
        t.ok(status_of("--profile", "preview") == 0,
             "where a command is confined a preview works", *walls)
        for test in (test_keep, test_drop, test_later, test_full, test_folded,
                     test_refused):
            test(t)
    if tried:
        t.done()
    else:
        print("1..0 # SKIP no command is confined in here")


main()
