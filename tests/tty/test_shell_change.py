# SPDX-License-Identifier: GPL-3.0-or-later
"""test_shell_change.py - what a plan did reaches the shell that asked for it:
lines in its history, its directory, its variables. In bash, zsh, fish and the
REPL, each in tmux; and where no shell waits for it."""

import os
import re
import shutil
import stat
import subprocess

from hookshell import home, tap

from review import save, step
from shellpane import Pane, kinds

ODD = "a  b'c\"d$(touch HACKED)`touch HACKED`;é"


def run(pane, *steps):
    """Approves a plan; False: there was no question."""
    if not pane.propose(*steps):
        return False
    pane.keys("r")
    return True


def line(pane):
    """What is on the line that is edited."""
    return re.split("[#$] " if pane.kind == "repl" else ">", pane.text())[-1]


def says(pane, line, text):
    """Types a line at the prompt; whether the text is shown as a line."""
    tap.poll(lambda: pane.text()[-1:] in "#$>")
    pane.call("send-keys", "-l", line)
    pane.keys("Enter")
    tap.poll(lambda: "\n" + text + "\n" in pane.text() + "\n")
    return "\n" + text + "\n" in pane.text() + "\n"


def moves(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        os.mkdir(place.path("there"))
        t.ok(run(pane, step(1, "cd there")) and
             pane.see("then in your shell: cd there"),
             kind + ": the review of a cd says what it does to the shell",
             pane.text())
        t.ok(says(pane, "echo in=(pwd)" if kind == "fish" else "echo in=$PWD",
                  "in=" + place.path("there")),
             kind + ": and the shell is in the directory", pane.text())
        run(pane, step(1, "cd .."), step(2, "cd missing"))
        pane.see("[r]etry")
        leave(pane)
        t.ok(says(pane, "echo now=(pwd)" if kind == "fish" else
                  "echo now=$PWD", "now=" + place.work),
             kind + ": a cd that fails changes nothing, the one before stays",
             pane.text())


def exports(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        quoted = "'" + ODD.replace("'", "'\\''") + "'"
        t.ok(run(pane, step(1, "export ODD=%s EXTRA=\"$HOME/x\"" % quoted)),
             kind + ": an export is reviewed", pane.text())
        pane.see("then in your shell: export")
        t.ok(says(pane, "env | grep -e ^ODD -e ^EXTRA | sort",
                  "EXTRA=%s/x\nODD=%s" % (place.env["HOME"], ODD)),
             kind + ": the variable has every character of the value",
             pane.text())
        t.ok(not any("HACKED" in files for _, _, files in
                     os.walk(place.work)), kind + ": no text of it has run")


def refuses(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        t.ok(pane.propose(step(1, "export PS1='$(touch HACKED)> '")) and
             "then in your shell" not in pane.text(),
             kind + ": a prompt, which would be code, is not for a plan to set",
             pane.text())
        leave(pane)


def remembers(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        os.mkdir(place.path("sub"))
        run(pane, step(1, "touch 'a b'"), step(2, "touch other", working_directory="sub"))
        tap.poll(lambda: os.path.exists(place.path("sub", "other")))
        tap.poll(lambda: pane.text()[-1:] in "#$>")
        pane.keys("Up")
        up = tap.poll(lambda: "".join(line(pane).split()).endswith(
            "/sub&&touchother)"))  # the pane wraps it anywhere
        old = kind == "fish" and subprocess.run(
            ["fish", "--version"], check=False, capture_output=True,
            text=True).stdout.split()[-1] < "4"
        t.ok(up != old, kind + ": what ran is the newest line of the history",
             pane.text())
        if not old:
            pane.keys("Up")
            t.ok(tap.poll(lambda: line(pane) == "touch 'a b'"), kind + ": the step before it the next",
                 pane.text())


def private(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        run(pane, step(1, "touch x"))
        tap.poll(lambda: os.path.exists(place.path("x")))
        names = pane.files("change-")
        t.ok(names and all(stat.S_IMODE(os.stat(name).st_mode) == 0o600
                           for name in names),
             kind + ": the file is the person's alone", names)
        t.ok(tap.poll(lambda: not any(map(os.path.getsize, names))),
             kind + ": and is empty at the next prompt")
        left(pane, b"d/\0.\0", 0o666)
        t.ok(says(pane, "echo in=(pwd)" if kind == "fish" else "echo in=$PWD",
                  "in=" + place.work) and
             "\nin=/\n" not in pane.text(),
             kind + ": one that others could have written is not read",
             pane.text())


def leave(pane):
    """Answers q; what is typed before that is seen would be one key with it."""
    seen = pane.text().count("? quit")
    pane.keys("q")
    tap.poll(lambda: pane.text().count("? quit") > seen)


def left(pane, data, mode=0o600):
    """Has the shell find this when the next line of ai has ended."""
    pane.propose(step(1, "touch y"))
    name = pane.files("change-")[0]
    with open(name, "wb") as file:
        file.write(data)
    os.chmod(name, mode)
    leave(pane)


def hostile(t, kind):
    """Records that are not of the form, in a file that is the person's."""
    with home.Home() as place, Pane(place, kind) as pane:
        left(pane, b"vA[$(touch HACKED)]=1\0vAGENTSH_SESSION=1\0"
             b"vOK=yes\0vB=\x1b]0;x\0x\0\0d$(touch HACKED)\0"
             b"d/nowhere\0l\0vB C=1\0.\0")
        t.ok(says(pane, "env | grep -c -e ^A= -e ^B -e SION=1'$'; env | "
                  "grep ^OK=", "0\nOK=yes"),
             kind + ": records that are not of the form do nothing",
             pane.text())
        t.ok(not os.path.exists(place.path("HACKED")),
             kind + ": and none is code")
        left(pane, b"vCUT=1\0.\0vCUT=2\0vCUT=3")
        t.ok(says(pane, "env | grep -c ^CUT", "0"),
             kind + ": a file that was cut does nothing", pane.text())


def main():
    t = tap.Tap()
    if not shutil.which("tmux"):
        tap.skip_all("tmux is not here")
    for kind in kinds():
        for check in (moves, exports, refuses, remembers, private,
                      hostile):
            check(t, kind)
    t.done()


if __name__ == "__main__":
    main()
