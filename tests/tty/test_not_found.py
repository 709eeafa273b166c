# SPDX-License-Identifier: GPL-3.0-or-later
"""test_not_found.py - the hint about a command that is not found: off unless
it is set, one line, and what handled it before does so still."""

import os
import shutil

import hookshell
from hookshell import Shell, home, tap

from shellpane import Pane

ON = "[shell]\nnot_found = yes\n[model]\nprovider = offline\n"
THEIRS = {
    "bash": "command_not_found_handle() { echo \"theirs $1\"; return 9; }",
    "zsh": "command_not_found_handler() { echo \"theirs $1\"; return 9 }",
    "fish": "function fish_command_not_found; echo theirs $argv[1]; end",
}
# What the shell says itself.
OWN = {"bash": "bash: mkdri: command not found",
       "zsh": "command not found: mkdri",
       "fish": "Unknown command: mkdri"}
HINT = "agentsh: did you mean mkdir?"


def shell(place, kind, config, before=""):
    place.config(config)
    if kind == "fish":  # whose own directory is another
        before = "set -gx XDG_CONFIG_HOME %s\n%s" % (
            place.env["XDG_CONFIG_HOME"], before)
    return Shell(place, kind, before=before)


def status_of(sh):
    return sh.show("echo $status" if sh.kind == "fish" else "echo $?").strip()


def hints(t, kind):
    with home.Home() as place, shell(place, kind, "") as sh:
        shown = hookshell.plain(sh.run("mkdri x"))
        t.ok("agentsh:" not in shown and OWN[kind] in shown,
             kind + ": nothing is said unless it is set", shown)
    with home.Home() as place, shell(place, kind, ON) as sh:
        shown = hookshell.plain(sh.run("mkdri x"))
        t.ok(shown.count(HINT) == 1 and shown.count("agentsh:") == 1 and
             OWN[kind] in shown, kind + ": one line names what is near, and "
             "the shell says its own", shown)
        sh.run("mkdri x")
        t.is_(status_of(sh), "127", kind + ": the status is as ever")
        shown = hookshell.plain(sh.run("qqzzv the big files of today"))
        t.ok("agentsh: if that was a wish: ai qqzzv the big files" in shown,
             kind + ": what looks like a wish is told how to ask", shown)
        shown = hookshell.plain(sh.run("qqzzv"))
        t.ok("agentsh:" not in shown, kind + ": else it says nothing", shown)
        sh.run("__agentsh_unload")
        shown = hookshell.plain(sh.run("mkdri x"))
        t.ok("agentsh:" not in shown and OWN[kind] in shown,
             kind + ": without the hook it is as it was", shown)
    with home.Home() as place, shell(place, kind, ON, THEIRS[kind]) as sh:
        shown = hookshell.plain(sh.run("mkdri x"))
        t.ok(HINT in shown and shown.find("theirs mkdri") > shown.find(HINT),
             kind + ": what handled it before does so still", shown)
        if kind != "fish":
            sh.run("mkdri x")
            t.is_(status_of(sh), "9", kind + ": and says the status")
        sh.run("__agentsh_unload")
        shown = hookshell.plain(sh.run("mkdri x"))
        t.ok("agentsh:" not in shown and "theirs mkdri" in shown,
             kind + ": and is alone again without the hook", shown)


def repl(t):
    for before, own in (("", "bash: mkdri: command not found"),
                        (THEIRS["bash"], "theirs mkdri")):
        with home.Home() as place:
            place.config(ON)
            with open(os.path.join(place.env["HOME"], ".bashrc"), "w",
                      encoding="utf-8") as rc:
                rc.write(before + "\n")
            with Pane(place, "repl") as pane:
                pane.see("(ai)")
                pane.call("send-keys", "-l", "mkdri x")
                pane.keys("Enter")
                t.ok(pane.see(HINT) and pane.see(own),
                     "repl: the hint, and then %r" % own, pane.text())


def main():
    t = tap.Tap()
    for kind in tap.sample(("bash", "zsh", "fish")):
        if shutil.which(kind):
            hints(t, kind)
        else:
            t.skip(kind, "it is not here")
    if shutil.which("tmux"):
        repl(t)
    t.done()


main()
