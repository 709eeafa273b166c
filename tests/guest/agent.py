# SPDX-License-Identifier: GPL-3.0-or-later
"""agent.py - a guest agent, and a connection to it.

    with home.Home() as place, agent.Agent(place) as a:
        a.call("exec", cmd="echo x")["result"]
"""

import base64
import itertools
import json
import os
import select
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402

PATIENCE = 20


def message(number, method, params=None):
    m = {"jsonrpc": "2.0", "id": number, "method": method}
    if params is not None:
        m["params"] = params
    return json.dumps(m).encode() + b"\n"


class Connection:
    """Lines to and from a pair of descriptors."""

    def __init__(self, to, back):
        self.to, self.back = to, back
        self.rest = b""
        self.numbers = itertools.count(1)
        self.notices = []
        self.ended = False

    def write(self, data):
        while data:
            data = data[os.write(self.to, data):]

    def send(self, method, **params):
        """Sends a request: its id."""
        number = next(self.numbers)
        self.write(message(number, method, params))
        return number

    def line(self, seconds=PATIENCE):
        """The next line; None at the end, or when none comes."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                return None
            try:
                data = os.read(self.back, 1 << 18)
            except ConnectionResetError:
                data = b""
            if not data:
                self.ended = True
                return None
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def next(self, seconds=PATIENCE):
        line = self.line(seconds)
        return None if line is None else json.loads(line)

    def answer(self, number, seconds=PATIENCE):
        """The answer to a request; notifications before it are kept."""
        while (m := self.next(seconds)) is not None:
            if m.get("id") == number:
                return m
            self.notices.append(m)
        return None

    def call(self, method, **params):
        return self.answer(self.send(method, **params))

    def result(self, method, **params):
        answer = self.call(method, **params)
        return (answer or {}).get("result", answer)

    def raw(self, text):
        """The answer to a line that is written as it is."""
        self.write(text if isinstance(text, bytes) else text.encode())
        return self.next()

    def output(self, process, until=None):
        """The bytes of a process by stream, and how it ended, from what is
        notified; until: as soon as this has come on stdout."""
        seen = {"stdout": b"", "stderr": b""}
        queue, self.notices = self.notices, []
        while True:
            m = queue.pop(0) if queue else self.next()
            if m is None:
                return seen, None
            p = m.get("params", {})
            if p.get("id") != process:
                continue
            if m["method"] == "process.exit":
                return seen, p
            seen[p["stream"]] += base64.b64decode(p["data"])
            if until and until in seen["stdout"]:
                return seen, None


class Agent(Connection):
    """An agent on standard input and output, and a connection to it."""

    def __init__(self, place, *options, listens=False, wrapper=(), **env):
        """wrapper: words that start it."""
        self.place = place
        self.child = subprocess.Popen(
            [*wrapper, home.program("agentsh"), "guest", *options],
            cwd=place.work,
            env={**place.env, **env}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        super().__init__(self.child.stdin.fileno(), self.child.stdout.fileno())
        self.listens = listens
        self.log = b""
        if listens:
            tap.poll(lambda: b": listening" in self.read_log(), PATIENCE)

    def read_log(self):
        while select.select([self.child.stderr], [], [], 0)[0]:
            data = os.read(self.child.stderr.fileno(), 1 << 16)
            if not data:
                break
            self.log += data
        return self.log

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self, seconds=PATIENCE):
        """Ends its input: its status. It is killed when it does not end."""
        if self.child.stdout.closed:
            return self.child.returncode
        if not self.child.stdin.closed:
            self.child.stdin.close()
        if self.listens:
            self.child.terminate()
        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.read_log()
        self.child.stdout.close()
        self.child.stderr.close()
        return self.child.returncode

    def stop(self, signo):
        self.child.send_signal(signo)
        return self.child.wait(PATIENCE)


class Peer(Connection):
    """A connection to an agent that listens."""

    def __init__(self, address, family=socket.AF_UNIX):
        self.socket = socket.socket(family)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(address)
        self.socket.settimeout(None)
        super().__init__(self.socket.fileno(), self.socket.fileno())

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self.socket.close()
