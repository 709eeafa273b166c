# SPDX-License-Identifier: GPL-3.0-or-later
"""test_line_key.py - the two keys of the hooks and of the REPL, each in tmux:
a command in the place of the words, an explanation below the line."""

import os
import re
import shutil
import subprocess

from hookshell import AGENTSH, Shell, home, tap

from fault.server import Server
from faults import wire_env

from shellpane import Pane, kinds

WISH = "find files larger than 100M"
COMMAND = "find . -type f -size +100M"
OFFLINE = "[model]\nprovider = offline\n"


def line_keys(kind):
    return ("M-a",) if kind == "fish" else ("C-x", "C-a")


def explain_keys(kind):
    return ("M-x",) if kind == "fish" else ("C-x", "C-y")


def undo_keys(kind):
    return ("C-_",) if kind in ("fish", "bash", "repl") else ("C-x", "u")


def open_pane(place, kind, config="", before="", model=OFFLINE, **env):
    place.config(model + config)
    if kind == "fish":  # whose own is elsewhere
        before = "set -gx XDG_CONFIG_HOME %s\n%s" % (
            place.env["XDG_CONFIG_HOME"], before)
    pane = Pane(place, kind, before=before, **env)
    pane.see("(ai)" if kind == "repl" else "@~")
    return pane


def typed(pane, text):
    pane.call("send-keys", "-l", text)
    return pane.see(text)


def edited(pane):
    """What stands behind the last prompt, on one line."""
    text = pane.text().rpartition("@~")[2]
    if pane.kind == "zsh":  # what it shows below the line is none of it
        text = text.partition("\n")[0]
    return text.partition(">")[2].strip().replace("\n", " ") \
        if pane.kind != "repl" else \
        re.split(r"(?<=work)[#$] ", pane.text())[-1].strip()


def becomes(pane, what):
    """What stands there in the end."""
    seen = []

    def is_there():
        seen[:] = [edited(pane)]
        return seen == [what]

    tap.poll(is_there)
    return seen[0]


def in_place(t, kind):
    with home.Home() as place, open_pane(place, kind) as pane:
        typed(pane, WISH)
        pane.keys(*line_keys(kind))
        t.is_(becomes(pane, COMMAND), COMMAND,
              kind + ": a key turns the words into a command", pane.text())
        t.ok("100M\n" not in pane.text().replace(COMMAND, ""),
             kind + ": which has not run")
        pane.keys(*undo_keys(kind))
        t.is_(becomes(pane, WISH), WISH,
              kind + ": the shell's own undo brings the words back",
              pane.text())
        pane.keys("C-e", "C-u")
        typed(pane, "touch here")
        pane.keys("Enter")
        tap.poll(lambda: os.path.exists(place.path("here")))
        t.ok(os.path.exists(place.path("here")),
             kind + ": and the shell goes on", pane.text())


def explains(t, kind):
    with home.Home() as place, open_pane(place, kind) as pane:
        typed(pane, "tar -xzf a.tgz")
        pane.keys(*explain_keys(kind))
        t.ok(pane.see("takes everything out of a.tgz"),
             kind + ": the other key explains the line", pane.text())
        if kind != "zsh":
            t.is_(becomes(pane, "tar -xzf a.tgz"), "tar -xzf a.tgz",
                  kind + ": below it, and leaves it", pane.text())
        typed(pane, " here")
        pane.keys("C-u")
        typed(pane, "echo do''ne")
        pane.keys("Enter")
        t.ok(pane.see("\ndone"), kind + ": it can be edited on", pane.text())


def fails(t, kind):
    with home.Home() as place, open_pane(place, kind) as pane:
        typed(pane, "blurgh frobnicate zork")
        pane.keys(*line_keys(kind))
        t.ok(pane.see("agentsh: "),
             kind + ": where there is no command a line says why",
             pane.text())
        t.is_(becomes(pane, "blurgh frobnicate zork"),
              "blurgh frobnicate zork", kind + ": and the words stay",
              pane.text())


def aliases(t, kind):
    with home.Home() as place:
        if kind == "repl":
            with open(os.path.join(place.env["HOME"], ".bashrc"), "w",
                      encoding="utf-8") as rc:
                rc.write("alias g=git\n")
        with open_pane(place, kind, before="alias g=git") as pane:
            typed(pane, "g pul")
            pane.keys(*line_keys(kind))
            t.is_(becomes(pane, "git pull"), "git pull",
                  kind + ": aliases are known", pane.text())


def remarks(t, kind):
    with home.Home() as place, open_pane(place, kind) as pane:
        typed(pane, "delete all log files")
        pane.keys(*line_keys(kind))
        t.ok(pane.see("destructive: rm deletes files") and
             pane.see("rm ./*.log"),
             kind + ": what is dangerous about it is told", pane.text())


BOUND = {
    "bash": "bind '\"\\C-x\\C-a\": \"mi\"\"ne\"'",
    "zsh": "bindkey -s '^X^A' mine",
    "fish": "bind \\ea 'commandline -i mine'",
}


def bound(t, kind):
    """A key that has a meaning keeps it; the setting names another."""
    before = BOUND.get(kind, "")
    with home.Home() as place:
        if kind == "repl":
            with open(os.path.join(place.env["HOME"], ".bashrc"), "w",
                      encoding="utf-8") as rc:
                rc.write(BOUND["bash"].replace('mi""ne', "mine") + "\n")
        with open_pane(place, kind,
                       before=before.replace('mi""ne', "mine")) as pane:
            typed(pane, "list")
            pane.keys("Space", *line_keys(kind))
            t.ok(pane.see("list mine"), kind + ": a key that is bound is not "
                 "taken", pane.text())
        with open_pane(place, kind, "[shell]\nline_key = Ctrl-X a\n",
                       before=before) as pane:
            typed(pane, WISH)
            pane.keys("C-x", "a")
            t.is_(becomes(pane, COMMAND), COMMAND,
                  kind + ": the setting names another", pane.text())
        with open_pane(place, kind, "[shell]\nline_key = none\n") as pane:
            typed(pane, WISH)
            pane.keys(*line_keys(kind))
            typed(pane, "!")
            t.ok(COMMAND not in pane.text(), kind + ": or none", pane.text())


def several_lines(t, kind):
    """A buffer of several lines becomes one; elsewhere a line is one."""
    if kind not in ("zsh", "fish"):
        return
    with home.Home() as place, open_pane(place, kind) as pane:
        typed(pane, "find files")
        pane.keys("M-Enter")
        typed(pane, "larger than 100M")
        pane.keys(*line_keys(kind))
        t.is_(becomes(pane, COMMAND), COMMAND,
              kind + ": several lines become one", pane.text())
        pane.keys(*undo_keys(kind))
        t.ok(pane.see("larger than 100M"),
             kind + ": and come back as several", pane.text())


def no_program(t, kind):
    """Our program is gone, or does not answer."""
    if kind == "repl":
        return
    gone = "__agentsh_init[%d]=/nonexistent/agentsh" % (
        3 if kind == "bash" else 4)
    if kind == "fish":
        gone = "set -g __agentsh_init[4] /nonexistent/agentsh"
    with home.Home() as place, open_pane(place, kind) as pane:
        typed(pane, gone)
        pane.keys("Enter")
        typed(pane, WISH)
        pane.keys(*line_keys(kind))
        t.ok(pane.see("agentsh: no answer came"),
             kind + ": where our program is gone a line says so", pane.text())
        t.is_(becomes(pane, WISH), WISH, kind + ": and the words stay",
              pane.text())


def from_file(t, kind):
    """The script in a file, which has no files of a session."""
    if kind == "repl":
        return
    with home.Home() as place:
        place.config(OFFLINE)
        path = place.path("hook")
        with open(path, "w", encoding="utf-8") as out:
            subprocess.run([AGENTSH, "init", kind], check=True, stdout=out,
                           env=place.env)
        with Shell(place, kind, hook=False, before="source " + path) as sh:
            sh.run("false")
            t.is_(sh.last(), ("false", 1),
                  kind + ": the hook can be read from a file")


def narrow(t, kind):
    with home.Home() as place, open_pane(place, kind) as pane:
        pane.call("resize-window", "-x", "40", "-y", "20")
        typed(pane, "tar -xzf a.tgz")
        pane.keys(*explain_keys(kind))
        t.ok(pane.see("takes everything out of a.tgz") and
             all(len(line) <= 40 for line in pane.text().splitlines()),
             kind + ": 40 columns are enough", pane.text())


VI = {"bash": "set -o vi", "zsh": "bindkey -v", "fish": "fish_vi_key_bindings",
      "repl": "set -o vi"}


def vi(t, kind):
    with home.Home() as place, open_pane(place, kind) as pane:
        typed(pane, VI[kind])
        pane.keys("Enter")
        typed(pane, WISH)
        pane.keys(*line_keys(kind))
        tap.poll(lambda: COMMAND in pane.text())
        t.ok(COMMAND in pane.text(), kind + ": and in vi's mode", pane.text())


def modes(pane):
    """What stty says of the pane's terminal."""
    with open(pane.call("display-message", "-p", "#{pane_tty}").strip(),
              encoding="utf-8") as tty:
        return subprocess.run(["stty", "-a"], stdin=tty, capture_output=True,
                              text=True, check=True).stdout


SLOW = "[model]\nprovider = openai\nmodel = fault:hang\n"


def slow(t, kind):
    """A model that does not answer: Ctrl-C ends the wait alone."""
    with Server() as server, home.Home() as place:
        place.env.update(wire_env("o", server.url))
        with open_pane(place, kind, model=SLOW) as pane:
            before = modes(pane)
            typed(pane, WISH)
            pane.keys(*line_keys(kind))
            t.ok(tap.poll(lambda: server.requests) and pane.see("Ctrl-C stops"),
                 kind + ": a line says that it waits", pane.text())
            typed_ahead = "touch ahead"
            pane.call("send-keys", "-l", typed_ahead)
            pane.keys("Enter")
            pane.keys("C-c")
            tap.poll(lambda: "Ctrl-C stops" not in pane.text())
            t.is_(becomes(pane, WISH), WISH,
                  kind + ": Ctrl-C ends the wait, and leaves the line",
                  pane.text())
            t.ok(tap.poll(lambda: not [words for words in
                                       place.left().values()
                                       if "--for-key" in words]),
                 kind + ": and nothing runs on", place.left())
            t.is_(modes(pane), before, kind + ": the terminal is as it was")
            pane.keys("C-e", "C-u")
            typed(pane, "touch here")
            pane.keys("Enter")
            tap.poll(lambda: os.path.exists(place.path("here")))
            t.ok(os.path.exists(place.path("here")) and
                 not os.path.exists(place.path("ahead")),
                 kind + ": what was typed meanwhile has not run", pane.text())


def ahead(t):
    """What is typed while a command runs, and the key behind it."""
    with home.Home() as place, open_pane(place, "repl") as pane:
        typed(pane, "until [ -e go ]; do sleep 0.01; done")
        pane.keys("Enter")
        pane.call("send-keys", "-l", WISH)
        pane.keys(*line_keys("repl"))
        pane.see("^X^A")  # their echo
        open(place.path("go"), "wb").close()
        becomes(pane, COMMAND)
        last = pane.text().splitlines()[-1]
        t.ok(last.startswith("(ai) ") and last.endswith(COMMAND),
             "repl: keys typed ahead, and a prompt on its own line",
             pane.text())


def main():
    t = tap.Tap()
    if not shutil.which("tmux"):
        tap.skip_all("tmux is not here")
    for kind in kinds():
        for test in (in_place, explains, fails, aliases, remarks, bound,
                     several_lines, no_program, from_file, narrow, vi, slow):
            test(t, kind)
    ahead(t)
    t.done()


if __name__ == "__main__":
    main()
