# SPDX-License-Identifier: GPL-3.0-or-later
"""probe.py - drives one agent of the gateway (agent_probe.c), for tests."""

import json
import os
import select
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))

import home  # noqa: E402

PATIENCE = 30  # seconds: for the slowest machine

PYTHON_TYPE = """
[%s]
command = %s %s/fake_agent.py %s
readable = %s
"""


def fake_type(name, *words, more=""):
    """A row of the types: the fake agent with these words."""
    return PYTHON_TYPE % (name, sys.executable, HERE, " ".join(words),
                          HERE) + more


class Probe:
    """An agent of a type in a home; lines as they come."""

    def __init__(self, place, kind, *options, directory=None, types=None,
                 **env):
        self.place = place
        if types is not None:
            write_types(place, types)
        self.lines = []
        self.rest = b""
        self.child = subprocess.Popen(
            [home.program("agent-probe"), *options, kind,
             directory or place.work],
            cwd=place.work, env={**place.env, **env}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self.child.stdin.close()
        try:
            self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.errors = self.child.stderr.read().decode("utf-8", "replace")
        self.child.stdout.close()
        self.child.stderr.close()
        if "Sanitizer" in self.errors or "runtime error:" in self.errors:
            raise AssertionError(self.errors)

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()

    def tell(self, line):
        self.child.stdin.write(line.encode() + b"\n")

    def read(self, limit):
        """Reads what there is, or waits for it; False: there is no more."""
        ready, _, _ = select.select([self.child.stdout], [], [], limit)
        data = os.read(self.child.stdout.fileno(), 1 << 16) if ready else b""
        self.rest += data
        *whole, self.rest = self.rest.split(b"\n")
        self.lines += [json.loads(line) for line in whole]
        return bool(data)

    def until(self, event, count=1):
        """The count-th line of this event; None: it does not come."""
        limit = time.monotonic() + PATIENCE
        while True:
            found = [x for x in self.lines if x["event"] == event]
            if len(found) >= count:
                return found[count - 1]
            left = limit - time.monotonic()
            if left <= 0 or not self.read(left):
                return None

    def prompt(self, text):
        """Prompts, and waits for the end of the turn."""
        turns = sum(x["event"] == "turn_ended" for x in self.lines)
        self.tell("prompt " + text)
        return self.until("turn_ended", turns + 1)

    def kinds(self):
        return [x["kind"] for x in self.lines if x["event"] == "event"]

    def data(self, kind):
        return [x["data"] for x in self.lines
                if x["event"] == "event" and x["kind"] == kind]

    def text(self):
        return "".join(x.get("text", "") for x in self.data("content"))


def write_types(place, text):
    folder = os.path.join(place.env["XDG_CONFIG_HOME"], "agentsh")
    os.makedirs(folder, 0o700, exist_ok=True)
    with open(os.path.join(folder, "agents"), "w", encoding="utf-8") as out:
        out.write(text)
