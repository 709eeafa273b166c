# SPDX-License-Identifier: GPL-3.0-or-later
"""sidecar.py - agentctl with an agent, and its clients, for tests.

    with home.Home() as place, sidecar.Sidecar(place) as s:
        s.post("start")
        s.call("echo", {"a": 1}).answer
"""

import base64
import json
import os
import select
import shlex
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..",
                                                              "mcp")]

import web  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402,F401

PATIENCE = 20
FAKE = os.path.join(HERE, "fake_agent.py")
API = "/api/v1/"


def agent(*words):
    """The command of the agent that does what it is told."""
    return shlex.join(["/usr/bin/python3", FAKE, *words])


class Sidecar(web.Server):
    """agentctl; variables are AGENTCTL_… without that, in lower case."""

    def __init__(self, place, *options, argv=None, env=None, cwd=None,
                 **variables):
        variables.setdefault("agent_command", agent())
        variables.setdefault("port", "0")
        super().__init__(
            place, argv=[*(argv or [home.program("agentctl")]), *options],
            cwd=cwd, env={**(env or {}), **{
                "AGENTCTL_" + k.upper(): v for k, v in variables.items()
                if v is not None}})

    def get(self, path, **headers):
        with self.peer() as p:
            return Answer(p.ask("GET", API + path, **headers))

    def post(self, path, body=b"", **headers):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        with self.peer() as p:
            return Answer(p.ask("POST", API + path, body, **headers))

    def call(self, method, params=None, **more):
        message = {"method": method, **more}
        if params is not None:
            message["params"] = params
        return self.post("acp/call", message)

    def send(self, **message):
        return self.post("acp/send", message)

    def status(self):
        return self.get("status").json

    def info(self):
        return self.status()["process_info"]

    def stream(self, path="acp/stream"):
        return Stream(self.at, API + path)

    def lines(self, stream=None, last=100):
        found = self.get("output?last=%d" % last).json["lines"]
        return [line["content"] for line in found
                if stream in (None, line["stream"])]


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.body = response.body
        self.json = json.loads(self.body) if self.body else None

    @property
    def result(self):
        return self.json.get("result", self.json.get("error"))

    def __repr__(self):
        return "%d %.600s" % (self.status, self.body)


class Stream:
    """A client of a WebSocket."""

    def __init__(self, at, path):
        self.socket = socket.socket(
            socket.AF_UNIX if isinstance(at, str) else socket.AF_INET)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(at)
        self.rest = b""
        self.closed = None  # the status and the reason
        self.socket.sendall(
            ("GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: %s\r\n\r\n" % (path, base64.b64encode(
                 os.urandom(16)).decode())).encode())
        while b"\r\n\r\n" not in self.rest:
            if not self.fill(PATIENCE):
                break
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.opened = b" 101 " in head.split(b"\r\n")[0]

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.socket.close()

    def fill(self, seconds):
        if not select.select([self.socket], [], [], max(0, seconds))[0]:
            return False
        try:
            data = self.socket.recv(1 << 18)
        except ConnectionResetError:
            data = b""
        self.rest += data
        return bool(data)

    def frame(self, op, data):
        mask = os.urandom(4)
        n = len(data)
        if n < 126:
            head = struct.pack(">BB", 128 | op, 128 | n)
        elif n < 1 << 16:
            head = struct.pack(">BBH", 128 | op, 254, n)
        else:
            head = struct.pack(">BBQ", 128 | op, 255, n)
        key = (mask * (n // 4 + 1))[:n]
        body = (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")
                ).to_bytes(n, "big") if n else b""
        self.socket.sendall(head + mask + body)

    def send(self, message):
        if not isinstance(message, bytes):
            message = json.dumps(message).encode()
        self.frame(1, message)

    def take(self):
        """A frame that is whole, or None."""
        if len(self.rest) < 2:
            return None
        n, at = self.rest[1] & 127, 2
        if n > 125:
            size = 2 if n == 126 else 8
            if len(self.rest) < 2 + size:
                return None
            n, at = int.from_bytes(self.rest[2:2 + size], "big"), 2 + size
        if len(self.rest) < at + n:
            return None
        op, data = self.rest[0] & 15, self.rest[at:at + n]
        self.rest = self.rest[at + n:]
        return op, data

    def text(self, seconds=PATIENCE):
        """The next text; None: the stream is closed, or there is none."""
        end = time.monotonic() + seconds
        while self.closed is None:
            got = self.take()
            if got is None:
                if not self.fill(end - time.monotonic()):
                    if time.monotonic() < end:
                        self.closed = (1006, "")
                    return None
            elif got[0] == 8:
                self.closed = (int.from_bytes(got[1][:2], "big"),
                               got[1][2:].decode())
            elif got[0] == 9:
                self.frame(10, got[1])
            elif got[0] == 1:
                return got[1].decode()
        return None

    def next(self, seconds=PATIENCE):
        text = self.text(seconds)
        return None if text is None else json.loads(text)

    def until(self, condition, seconds=PATIENCE):
        """Those before, and the first message of which it is true."""
        seen = []
        while (m := self.next(seconds)) is not None:
            seen.append(m)
            if condition(m):
                return seen
        return seen + [None]

    def end(self, seconds=PATIENCE):
        """How it is closed, whatever comes before."""
        while self.closed is None and self.text(seconds) is not None:
            pass
        return self.closed
