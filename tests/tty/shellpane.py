# SPDX-License-Identifier: GPL-3.0-or-later
"""shellpane.py - a shell with the hook, or the REPL, in tmux."""

import os
import shutil
import subprocess

from hookshell import Shell, home, tap, terminal

from review import AI, save

KINDS = ("repl", "bash", "zsh", "fish")


def kinds():
    """Those that are here, or a part of them (tap.sample); KINDS=… names some
    by hand."""
    return [kind for kind in os.environ.get("KINDS", "").split() or
            tap.sample(KINDS) if kind == "repl" or shutil.which(kind)]


class Pane:
    """One shell in tmux, in a Home."""

    def __init__(self, place, kind, before="", **env):
        self.place = place
        self.kind = kind
        # a server of its own: one that ends may still take the next call
        self.tmux = ["tmux", "-S",
                     os.path.join(place.root, "tmux-%x" % id(self)),
                     "-f", "/dev/null"]
        if kind == "repl":
            argv = [home.program("agentsh")]
            base = {**place.env, "PS1": "@~>"}
        else:
            self.shell = Shell(place, kind, before=before)
            with open(self.shell.rc, encoding="utf-8") as file:
                rc = file.read()
            terminal.hang_up(self.shell.child)
            base = self.shell.env
            argv = ["fish"] if kind == "fish" else \
                {"bash": ["bash", "--noprofile", "--rcfile", self.shell.rc],
                 "zsh": ["zsh", "-d"]}[kind]
            assert rc
        self.env = {**base, "TERM": "xterm-256color", **env}
        self.call("new-session", "-d", "-x", "100", "-y", "40", *argv)
        self.see("@~" if kind != "repl" else "")

    def call(self, *words):
        return subprocess.run([*self.tmux, *words], env=self.env,
                              cwd=self.place.work, check=False,
                              capture_output=True, text=True).stdout

    def text(self):
        return self.call("capture-pane", "-p").rstrip("\n")

    def see(self, text):
        tap.poll(lambda: text in self.text())
        return text in self.text()

    def last(self):
        """What is on the screen from the last question on."""
        text = (self.text() + "\n").rpartition("[q]uit ?")[2]
        return text[8:].rstrip() if text.startswith(" insert\n") else ""

    def row(self):
        return self.call("display-message", "-p", "#{cursor_y}")

    def keys(self, *keys):
        self.call("send-keys", *keys)

    def propose(self, *steps, after=""):
        path = save(self.place, *steps)
        asked = self.text().count("[i]nsert")
        self.call("send-keys", "-l", "%s do --plan %s%s" % (
            "ai" if self.kind == "repl" else AI, path, after))
        self.keys("Enter")
        return tap.poll(lambda: self.text().count("[i]nsert") > asked)

    def files(self, kind="insert-"):
        folder = os.path.join(self.place.env["XDG_RUNTIME_DIR"], "agentsh")
        return [os.path.join(folder, name) for name in os.listdir(folder)
                if name.startswith(kind)]

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.call("kill-server")
