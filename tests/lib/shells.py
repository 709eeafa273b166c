# SPDX-License-Identifier: GPL-3.0-or-later
"""shells.py - interactive shells at a terminal: bash, and the REPL beside it.

Both read the same ~/.bashrc, so that what a person would see can be told from
bash itself. A command's own output must differ from the line as it is typed:
tests compute in it, `echo $((40 + 2))`.
"""

import os
import re

import home
import tap
import terminal

RC = """PS1='<$?|\\w> '
PS2='more> '
AGENTSH_MARK=
HISTFILE=~/.bash_history
bind 'set enable-bracketed-paste on'
"""
PROMPT = r"<(\d+)\|([^>\r\n]*)> "
MORE = "more> "


class Missed(Exception):
    """What was waited for did not come."""


def write_rc(place, text=RC):
    with open(os.path.join(place.env["HOME"], ".bashrc"), "w",
              encoding="utf-8") as out:
        out.write(text)


class Shell(terminal.Terminal):
    """A shell that has shown its first prompt."""

    def __init__(self, place, argv, ready=True, **env):
        super().__init__(place, argv, rows=30, cols=100, **env)
        self.status = None
        if ready:
            self.prompt(20)

    def expect(self, pattern, seconds=tap.PATIENCE, window=-1):
        """Reads until the pattern matches; its groups. With a window only so
        many of the last characters are searched: all that came is searched
        again after each read, which takes too long where much comes."""
        try:
            self.child.expect(pattern, timeout=seconds,
                              searchwindowsize=window)
        except (terminal.pexpect.TIMEOUT, terminal.pexpect.EOF) as why:
            self.keep()
            raise Missed("%r does not come after %r" %
                         (pattern, self.text()[-300:])) from why
        self.keep()
        return self.child.match.groups()

    def prompt(self, seconds=tap.PATIENCE):
        """Waits for a prompt: the status that it shows."""
        self.status = int(self.expect(PROMPT, seconds)[0])
        return self.status

    def run(self, line, *wanted, status=None):
        """Types a line; its output, up to the prompt, has what is wanted."""
        self.send(line + "\r")
        groups = [self.expect(pattern) for pattern in wanted]
        self.prompt()
        if status is not None and self.status != status:
            raise Missed("status %d, not %d" % (self.status, status))
        return groups[0] if groups else ()

    def begin(self, *lines):
        """Types lines that each leave the command incomplete."""
        for line in lines:
            self.send(line + "\r")
            self.expect(MORE)

    def until_runs(self, words):
        """Waits until a command line of these words waits in this place."""
        if not tap.poll(lambda: any(
                (name.strip() + " ").startswith(words + " ") and
                home.state_of(pid) == "S"
                for pid, name in self.home.left().items())):
            raise Missed("%s does not run" % words)

    def until_waits(self):
        """Waits until everything in this place waits. A signal that comes
        between the echo of a key and the wait for the next one is noticed by
        readline at that key."""
        if not tap.poll(lambda: all(home.state_of(pid) == "S"
                                    for pid in self.home.left())):
            raise Missed("something goes on running")

    def pid(self):
        return int(self.run("echo pid=$$.", r"pid=(\d+)\.")[0])


def bash(place, **env):
    return Shell(place, ["/bin/bash", "-i"], **env)


def repl(place, **env):
    return Shell(place, [home.program("agentsh-repl")], **env)


def plain(text):
    """What was shown, without escape sequences."""
    return re.sub(terminal.DRAWING, "", text)
