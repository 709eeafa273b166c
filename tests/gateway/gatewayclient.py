# SPDX-License-Identifier: GPL-3.0-or-later
"""gatewayclient.py - agentsh gateway with an agent of the tests' own, and a
client of it, on plain sockets."""

import base64
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import home  # noqa: E402

PATIENCE = 20.0


class Gone(Exception):
    """The other side has closed, or says nothing."""


class Gateway:
    """The server, on a port of its own; `stub`: with the stub agent."""

    def __init__(self, place, *options, address="127.0.0.1:0", stub=True,
                 env=None):
        self.place = place
        self.done = place.path("agents.log")
        program = os.path.join(home.BUILDDIR, "stub-server") \
            if stub else home.program("agentsh")
        self.child = subprocess.Popen(
            [program, "gateway", "--listen", address, *options],
            cwd=place.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**place.env, "STUB_LOG": self.done, **(env or {})})
        os.set_blocking(self.child.stderr.fileno(), False)
        self.log = b""
        self.until(lambda: b"listening" in self.log or
                   self.child.poll() is not None)
        found = re.search(rb"tcp:127.0.0.1:(\d+): listening", self.log)
        if not found:
            self.child.wait()
            raise Gone(self.log.decode())
        self.port = int(found[1])

    def until(self, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            if select.select([self.child.stderr], [], [], 0.05)[0]:
                self.log += self.child.stderr.read(1 << 16) or b""
        return condition()

    def client(self, path="/ws"):
        return Client(self.port, path)

    def end(self, signo=signal.SIGTERM):
        """Ends it by a signal; the exit status."""
        if self.child.poll() is None:
            self.child.send_signal(signo)
        self.child.wait(PATIENCE)
        if not self.child.stderr.closed:
            self.log += self.child.stderr.read() or b""
            self.child.stderr.close()
        if b"Sanitizer" in self.log or b"runtime error:" in self.log:
            raise AssertionError(self.log.decode("utf-8", "replace"))
        return self.child.returncode

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.end()

    def agents_log(self):
        """What the agents wrote: (word, task, prompt)."""
        return [tuple(line.split(" ", 2))
                for line in self.place.read("agents.log").splitlines()]


class Client:
    """A WebSocket."""

    def __init__(self, port, path="/ws"):
        self.sock = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.bytes = b""
        self.notes = []
        key = base64.b64encode(os.urandom(16)).decode()
        self.sock.sendall((
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n" % (path, port, key)).encode())
        while b"\r\n\r\n" not in self.bytes:
            self.more(time.monotonic() + PATIENCE)
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Gone(head.decode())

    def more(self, until):
        self.sock.settimeout(max(0.001, until - time.monotonic()))
        try:
            data = self.sock.recv(1 << 16)
        except (TimeoutError, ConnectionError) as why:
            raise Gone(str(why)) from why
        if not data:
            raise Gone("closed")
        self.bytes += data

    def frame(self, payload, op=1):
        n = len(payload)
        head = bytes([0x80 | op])
        if n < 126:
            head += bytes([0x80 | n])
        elif n < 65536:
            head += b"\xfe" + struct.pack(">H", n)
        else:
            head += b"\xff" + struct.pack(">Q", n)
        self.sock.sendall(head + b"\0\0\0\0" + payload)

    def text(self, text):
        self.frame(text.encode())

    def message(self, seconds=PATIENCE):
        """The next message, or None when none comes in time."""
        until = time.monotonic() + seconds
        while True:
            whole = self.take_frame()
            if whole is None:
                try:
                    self.more(until)
                except Gone:
                    if time.monotonic() >= until:
                        return None
                    raise
                continue
            op, payload = whole
            if op == 1:
                return json.loads(payload)
            if op == 9:
                self.frame(payload, 10)
            elif op == 8:
                raise Gone("closed: %r" % payload)

    def take_frame(self):
        b = self.bytes
        if len(b) < 2:
            return None
        n, at = b[1] & 127, 2
        if n == 126:
            at = 4
        elif n == 127:
            at = 10
        if len(b) < at:
            return None
        if at > 2:
            n = int.from_bytes(b[2:at], "big")
        if len(b) < at + n:
            return None
        self.bytes = b[at + n:]
        return b[0] & 15, b[at:at + n]

    def send(self, action, **payload):
        name = str(uuid.uuid4())
        self.text(json.dumps({"id": name, "type": "request", "action": action,
                              "payload": payload}))
        return name

    def answer(self, name, seconds=PATIENCE):
        """The message with this id; notifications before it are kept."""
        until = time.monotonic() + seconds
        while True:
            m = self.message(until - time.monotonic())
            if m is None:
                raise Gone("no answer")
            if m["type"] != "notification" and m["id"] == name:
                return m
            self.notes.append(m)

    def ask(self, action, **payload):
        """The payload of the answer, which is no error."""
        m = self.answer(self.send(action, **payload))
        assert m["type"] == "response" and m["action"] == action, m
        return m["payload"]

    def refused(self, action, **payload):
        """Code and message of the error."""
        m = self.answer(self.send(action, **payload))
        assert m["type"] == "error" and m["action"] == action, m
        return m["payload"]["code"], m["payload"]["message"]

    def note(self, condition, seconds=PATIENCE):
        """The first notification for which condition(action, payload) is true;
        those before it are dropped."""
        until = time.monotonic() + seconds
        while True:
            m = self.notes.pop(0) if self.notes else \
                self.message(until - time.monotonic())
            if m is None:
                raise Gone("no such notification")
            if m["type"] == "notification" and \
                    condition(m["action"], m["payload"]):
                return m["payload"]

    def silent(self, seconds=0.3):
        """What comes in this time."""
        seen, self.notes = self.notes, []
        until = time.monotonic() + seconds
        while (m := self.message(max(0.001, until - time.monotonic()))):
            seen.append(m)
        return seen

    def state(self, task, state, seconds=PATIENCE):
        """The task, when it is in this state."""
        until = time.monotonic() + seconds
        while True:
            t = self.ask("task.get", id=task)
            if t["state"] == state or time.monotonic() > until:
                return t
            time.sleep(0.01)

    def create(self, title="T", **more):
        return self.ask("task.create", title=title,
                        **{"agent_type": "agentsh", **more})["id"]

    def close(self):
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()
