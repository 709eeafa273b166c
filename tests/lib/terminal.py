# SPDX-License-Identifier: GPL-3.0-or-later
"""terminal.py - programs on a pseudo-terminal, as a person runs them.

A shell leads the session and notes the terminal's modes before and after the
program: a session leader that ends has its modes reset by the kernel, which
would hide what the program left behind.
"""

import os
import re
import time

import pexpect

import tap

LEADER = """trap : INT QUIT
stty -g > "$MODES/before"
"$@"
status=$?
stty -g > "$MODES/after"
exit $status"""

# What draws, rather than says: CSI, OSC, other escapes, and carriage returns.
DRAWING = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*"
                     r"(?:\x07|\x1b\\)|\x1b[@-Z\\-_=>78]|\r")
ERASED = "\r\x1b[K"  # how a row that was drawn is taken away


def hang_up(child, force=True):
    """Closes the program's terminal, and kills its leader by force when that
    does not end it: pexpect's waits of a tenth of a second are too short for
    that on a busy machine."""
    try:
        child.close(force)
    except pexpect.ExceptionPexpect:
        if not tap.poll(lambda: not child.isalive(), 20):
            raise
        child.close(force)


def reap(child, seconds=tap.PATIENCE):
    """Waits for a program that has closed its terminal: the exit status, or
    None when it was ended by a signal."""
    tap.poll(lambda: not child.isalive(), seconds)
    hang_up(child)
    return child.exitstatus


class Terminal:
    """One program on its terminal, in a Home."""

    def __init__(self, home, argv, rows=24, cols=80, **env):
        self.home = home
        self.modes = home.folder("modes%d" % time.monotonic_ns())
        self.seen = ""
        self.child = pexpect.spawn(
            "/bin/sh", ["-c", LEADER, "sh", *argv], cwd=home.work,
            env={**home.env, "MODES": self.modes, **env},
            dimensions=(rows, cols), encoding="utf-8",
            codec_errors="replace", timeout=tap.PATIENCE)
        self.child.delaybeforesend = None

    def wait_for(self, text, seconds=tap.PATIENCE):
        """Reads until text (not a pattern) is seen; False if it never is."""
        found = self.child.expect_exact([text, pexpect.EOF, pexpect.TIMEOUT],
                                        timeout=seconds)
        self.keep()
        return found == 0

    def keep(self):
        before, after = self.child.before, self.child.after
        self.seen += before if isinstance(before, str) else ""
        self.seen += after if isinstance(after, str) else ""

    def send(self, keys):
        self.child.send(keys)

    def text(self):
        """All that was shown so far, without what only draws."""
        return DRAWING.sub("", self.seen)

    def finish(self, seconds=tap.PATIENCE):
        """Reads to the end and waits: the exit status, 128 + a signal, or
        None when it does not end in time."""
        if self.child.expect([pexpect.EOF, pexpect.TIMEOUT],
                             timeout=seconds) != 0:
            self.keep()
            hang_up(self.child)
            return None
        self.keep()
        reap(self.child)
        if self.child.signalstatus:
            return 128 + self.child.signalstatus
        return self.child.exitstatus

    def mode(self, name):
        path = os.path.join(self.modes, name)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="ascii") as file:
            return file.read().strip()

    def is_sane(self):
        """The program left the terminal's modes as it found them."""
        before = self.mode("before")
        return before != "" and before == self.mode("after")

    def no_one_left(self, seconds=tap.PATIENCE):
        """Nothing of this Home runs any more."""
        return tap.poll(lambda: not self.home.left(), seconds)
