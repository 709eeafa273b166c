# SPDX-License-Identifier: GPL-3.0-or-later
"""fs.py - the tools of files, spoken to as the front speaks to them.

A Tool is one persistent process in a Home's working directory, which it may
write; Answer is what it said. Rows of errors are tried by refusals().
"""

import dataclasses
import json
import os
import select
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402

LIMIT = 20  # seconds for one answer


@dataclasses.dataclass
class Answer:
    id: int
    ok: bool
    stdout: str
    stderr: str
    meta: dict

    @property
    def code(self):
        return self.meta.get("error_code")


def program(name):
    return os.path.join(home.BUILDDIR, "plugins", name, name)


def request(tool, args, number=1, **more):
    return json.dumps({"id": number, "tool": tool,
                       "action": tool.partition(".")[2].partition("_")[0],
                       "args": args, **more}).encode() + b"\n"


class Tool:
    """Use as a context manager. prefix: what the program is run by."""

    def __init__(self, h, name, prefix=(), cwd=None):
        self.name = name
        self.number = 0
        self.rest = b""
        self.process = subprocess.Popen(
            [*prefix, program(name)], stdin=subprocess.PIPE, bufsize=0,
            stdout=subprocess.PIPE, cwd=cwd or h.work, env=h.env)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.process.stdin.close()
        try:
            self.process.wait(LIMIT)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def send(self, args, **more):
        self.number += 1
        self.process.stdin.write(request(self.name, args, self.number,
                                         **more))

    def line(self):
        """The next line; b"" when there is none within the limit."""
        until = time.monotonic() + LIMIT
        while b"\n" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [],
                                              left)[0]:
                return b""
            some = os.read(self.process.stdout.fileno(), 1 << 20)
            if not some:
                return b""
            self.rest += some
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def call(self, args, **more):
        self.send(args, **more)
        answer = json.loads(self.line())
        assert answer["id"] == self.number, answer
        return Answer(**answer)


def somebody(h, name):
    """What runs a tool as a user who owns nothing in h, which that user may
    read; () where this cannot be done."""
    prefix = ("setpriv", "--reuid=12345", "--regid=12345", "--clear-groups")
    os.chmod(h.root, 0o755)
    os.chmod(h.work, 0o755)
    if os.getuid() != 0 or not shutil.which("setpriv"):
        return ()
    can = subprocess.run([*prefix, "test", "-x", program(name)],
                         cwd=h.work, check=False).returncode == 0
    return prefix if can else ()


def refusals(t, tool, rows, **more):
    """Rows of what is tried, its arguments, the code and a part of what it
    says; what is in the working directory stays as it is."""
    for name, args, code, says in rows:
        got = tool.call(args, **more)
        t.ok(not got.ok and got.code == code and says in got.stderr and
             got.stdout == "", name, got)


def write(path, content=b"", mode=0o644):
    with open(path, "wb") as out:
        out.write(content)
    os.chmod(path, mode)


def read(path):
    """The bytes of a file; None when there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def tree(top):
    """What is below top: path to content, or to where a link leads."""
    found = {}
    for folder, folders, files in os.walk(top):
        for name in folders + files:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, top)] = (
                os.readlink(path) if os.path.islink(path) else
                read(path) if os.path.isfile(path) else "")
    return found
