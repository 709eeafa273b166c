# SPDX-License-Identifier: GPL-3.0-or-later
"""piped.py - a program that speaks in lines on its standard input and output.

    with piped.Piped(place, [home.program("agentsh"), "guest"]) as p:
        p.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n')
        p.next_line()
"""

import os
import select
import subprocess
import time

from listener import PATIENCE, Gone


class Piped:
    """It runs in a home of its own; `errors` is its log, once it is closed."""

    def __init__(self, place, argv, cwd=None, **env):
        self.place = place
        self.env = {**place.env, **env}
        self.child = subprocess.Popen(
            argv, cwd=cwd or place.work, env=self.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0)
        self.rest = b""
        self.errors = ""

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def end_input(self):
        if self.child.stdin:
            self.child.stdin.close()
            self.child.stdin = None

    def close(self):
        """Ends it as its peers do, by closing its input: the exit status."""
        self.end_input()
        try:
            self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
        self.child.wait()
        self.child.stdout.close()
        if not self.child.stderr.closed:
            self.errors = self.child.stderr.read().decode("utf-8", "replace")
            self.child.stderr.close()
        if "Sanitizer" in self.errors or "runtime error:" in self.errors:
            raise AssertionError(self.errors)
        return self.child.returncode

    def write(self, data):
        self.child.stdin.write(data)

    def lines(self, seconds):
        """The lines that have come in this time, which may be none."""
        if not select.select([self.child.stdout], [], [], seconds)[0]:
            return []
        data = os.read(self.child.stdout.fileno(), 1 << 20)
        if not data:
            raise Gone("the program has ended")
        *lines, self.rest = (self.rest + data).split(b"\n")
        return lines

    def next_line(self, seconds=PATIENCE):
        """None: there is none, or the program has ended."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.child.stdout], [], [],
                                              left)[0]:
                return None
            data = os.read(self.child.stdout.fileno(), 1 << 20)
            if not data:
                return None
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line
