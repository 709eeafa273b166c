# SPDX-License-Identifier: GPL-3.0-or-later
"""hookshell.py - real shells on a terminal, with the hook in their start-up
files.

    with home.Home() as place:
        sh = hookshell.Shell(place, "bash", before="PS0=x")
        sh.run("false")
        sh.record()["status"]       # "1"
"""

import glob
import os
import re
import sys

import pexpect

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

AGENTSH = home.program("agentsh")
PROMPT = "@~>"
LOAD = {
    "bash": 'eval "$(%s init bash)"\n' % AGENTSH,
    "zsh": 'eval "$(%s init zsh)"\n' % AGENTSH,
    "fish": "%s init fish | source\n" % AGENTSH,
}
# The prompt is written in two halves, so that no echo of it is taken for it.
# fish draws its prompt again and again: there they are numbered, in each
# level of shells in shells.
MARK = {
    "bash": "PS1='@~''>'\n",
    "zsh": "PS1='@~''>'; unsetopt promptsp promptcr\n",
    "fish": "set -g prompts 0; function fish_prompt; set prompts (math "
            "$prompts + 1); echo -n \"@~$SHLVL.$prompts>\"; end\n",
}
ARGV = {
    "bash": ["bash", "--noprofile", "--rcfile"],
    "zsh": ["zsh", "-d"],
    "fish": ["fish"],
}


def parse(data):
    """The record of a file's bytes, or None when there is none yet."""
    head, found, command = data.partition(b"command=")
    if not found:
        return None
    fields = dict(line.split(b"=", 1) for line in head.splitlines())
    record = {key.decode(): os.fsdecode(value)
              for key, value in fields.items()}
    record["command"] = command
    return record


class Shell:
    """One shell; before and after are start-up lines around the hook."""

    number = 0

    def __init__(self, place, kind, before="", after="", hook=True, argv=None,
                 **env):
        Shell.number += 1
        self.place = place
        self.kind = kind
        self.folder = place.folder("shell%d" % Shell.number)
        self.env = {**place.env, "TERM": "dumb", "SHLVL": "0",
                    "HISTFILE": os.path.join(self.folder, "history"), **env}
        self.env = {key: value for key, value in self.env.items()
                    if value is not None}
        rc = before + "\n" + (LOAD[kind] if hook else "") + after + "\n" + \
            MARK[kind]
        self.child = pexpect.spawn(
            *self.command(rc, argv), cwd=place.work, env=self.env,
            dimensions=(24, 500), timeout=20)
        self.child.delaybeforesend = None
        self.level = 1
        self.seen = 0
        self.begin = self.wait()

    def command(self, rc, argv):
        """Writes the start-up file; the program and its arguments."""
        argv = list(argv or ARGV[self.kind])
        if self.kind == "fish":
            self.env["XDG_CONFIG_HOME"] = self.folder
            os.mkdir(os.path.join(self.folder, "fish"))
            path = os.path.join(self.folder, "fish", "config.fish")
        else:
            self.env["ZDOTDIR"] = self.folder
            path = os.path.join(self.folder, ".zshrc")
        with open(path, "w", encoding="utf-8") as out:
            out.write(rc)
        self.rc = path
        if argv[-1] == "--rcfile":
            argv.append(path)
        return argv[0], argv[1:]

    def wait(self, seconds=20):
        """Until the next prompt: what was shown before it."""
        if self.kind != "fish":
            self.child.expect_exact(PROMPT.encode(), timeout=seconds)
            return self.child.before
        shown, number = b"", 0
        while number <= self.seen:
            self.child.expect(rb"@~%d\.(\d+)>" % self.level,
                              timeout=seconds)
            number = int(self.child.match[1])
            shown += self.child.before
        self.seen = number
        return shown

    def send(self, keys):
        self.child.send(keys)

    def run(self, line):
        """Types a line: what was shown until the next prompt."""
        if isinstance(line, str):
            line = line.encode()
        self.send(line + (b"\r" if self.kind == "fish" else b"\n"))
        return self.wait()

    def show(self, commands):
        """What the commands print, both their outputs."""
        path = os.path.join(self.folder, "shown")
        form = "begin; %s; end >%s 2>&1" if self.kind == "fish" else \
            "{ %s; } >|%s 2>&1"
        self.run(form % (commands, path))
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def files(self):
        """The files of all sessions."""
        return sorted(glob.glob(os.path.join(
            self.env.get("XDG_RUNTIME_DIR", "/nonexistent"), "agentsh",
            "last-*")))

    def file(self):
        """The file of this shell."""
        return next((path for path in self.files()
                     if "last-%d-" % self.child.pid in path), None)

    def record(self):
        path = self.file()
        if not path:
            return None
        with open(path, "rb") as file:
            return parse(file.read())

    def last(self):
        """The recorded line and status, as ("line", status)."""
        record = self.record()
        return record and (os.fsdecode(record["command"]),
                           int(record["status"]))

    def children(self):
        """Changes whenever a child of the shell has been reaped: the page
        faults of children."""
        with open("/proc/%d/stat" % self.child.pid, encoding="utf-8",
                  errors="replace") as file:
            return file.read().rpartition(")")[2].split()[8]

    def end(self):
        """Ends the shell by Ctrl-D at an empty prompt: its status."""
        self.child.send(b"exit\r" if self.kind == "fish" else b"exit\n")
        self.child.expect(pexpect.EOF, timeout=20)
        return terminal.reap(self.child)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        terminal.hang_up(self.child)


def plain(text):
    """What was shown, as text without carriage returns and drawing."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][0AB]?|\r", "",
                  text.decode(errors="replace"))
