# SPDX-License-Identifier: GPL-3.0-or-later
"""port.py - editors of agentsh acp --listen, each on a WebSocket, for tests."""

import base64
import json
import os
import re
import select
import socket
import struct
import subprocess
import time

from editor import Editor, Gone, PATIENCE

import faults  # noqa: E402
import home  # noqa: E402
from fault.server import Server  # noqa: E402

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Port:
    """An agent that listens, in a home of its own, whose model gives these
    answers in turn."""

    def __init__(self, *answers, options=(), address="127.0.0.1:0",
                 settings="", **env):
        self.server = Server(list(answers))
        self.place = faults.home_for("o", self.server.url)
        self.place.config(faults.CONFIG % faults.PATIENT + settings)
        self.options, self.address, self.env = options, address, env
        self.start()

    def start(self):
        self.log, self.editors = b"", []
        self.child = subprocess.Popen(
            [home.program("agentsh"), "acp", "--listen", self.address,
             *self.options], cwd=self.place.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**self.place.env, "AGENTSH_PROVIDER": "openai",
                 "AGENTSH_MODEL": "m", **self.env})
        os.set_blocking(self.child.stderr.fileno(), False)
        self.until(lambda: b"listening" in self.log or
                   self.child.poll() is not None)
        found = re.search(rb"(unix:\S+|tcp:\S+): listening", self.log)
        if not found:
            raise Gone(self.log.decode())
        text = found[1].decode()
        self.at = text[5:] if text.startswith("unix:") else \
            ("127.0.0.1", int(text.rsplit(":", 1)[1]))

    def until(self, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            if select.select([self.child.stderr], [], [], 0.02)[0]:
                self.log += self.child.stderr.read(1 << 16) or b""
        return condition()

    def stop(self, signo=15):
        """Ends it by a signal; the exit status."""
        for ed in self.editors:
            ed.close()
        if self.child.poll() is None:
            self.child.send_signal(signo)
        try:
            self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.log += self.child.stderr.read() or b""
        self.child.stderr.close()
        self.child.stdout.close()
        if b"Sanitizer" in self.log or b"runtime error:" in self.log:
            raise AssertionError(self.log.decode("utf-8", "replace"))
        return self.child.returncode

    def __enter__(self):
        return self

    def __exit__(self, *why):
        if not self.child.stderr.closed:
            self.stop()
        self.place.done()
        self.server.stop()

    @property
    def host(self):
        return "localhost" if isinstance(self.at, str) else "%s:%d" % self.at

    def path(self, name):
        return os.path.join(self.place.work, name)

    def http(self, head):
        """The status and the head of the answer to a request."""
        with connect(self.at) as s:
            s.sendall(head.replace("\n", "\r\n").encode())
            data = b""
            while b"\r\n\r\n" not in data:
                more = s.recv(1 << 16)
                if not more:
                    break
                data += more
        return int(data.split(b" ")[1]), data.decode("latin-1")


def connect(at):
    s = socket.socket(socket.AF_UNIX if isinstance(at, str)
                      else socket.AF_INET)
    s.settimeout(PATIENCE)
    s.connect(at)
    return s


UPGRADE = ("GET %s HTTP/1.1\nHost: %s\nUpgrade: websocket\n"
           "Connection: Upgrade\nSec-WebSocket-Version: 13\n"
           "Sec-WebSocket-Key: %s\n%s\n")


def upgrade(port, fields="", path="/acp"):
    return UPGRADE % (path, port.host,
                      base64.b64encode(os.urandom(16)).decode(), fields)


class Remote(Editor):
    """An editor on a WebSocket of a port."""

    def __init__(self, port, fields="", name="test-editor"):
        self.port, self.place, self.name = port, port.place, name
        port.editors.append(self)
        self.socket = connect(port.at)
        self.socket.sendall(upgrade(port, fields).replace(
            "\n", "\r\n").encode())
        self.rest, self.closed, self.other = b"", None, []
        while b"\r\n\r\n" not in self.rest:
            data = self.socket.recv(1 << 16)
            if not data:
                raise Gone("no answer to the upgrade")
            self.rest += data
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        self.head = head.decode("latin-1")
        if " 101 " not in self.head:
            raise Gone(self.head)
        self.next = 0
        self.answers, self.updates, self.asked, self.calls = {}, [], [], []
        self.permit = lambda params: "allow_once"
        self.serve = {}

    def close(self):
        self.socket.close()

    def frame(self, kind, data):
        mask = os.urandom(4)
        n = len(data)
        size = (struct.pack("!B", 128 | n) if n < 126 else
                struct.pack("!BH", 254, n) if n < 65536 else
                struct.pack("!BQ", 255, n))
        masked = bytes(b ^ mask[i % 4] for i, b in enumerate(data))
        self.socket.sendall(bytes([128 | kind]) + size + mask + masked)

    def send(self, message):
        self.frame(TEXT, message if isinstance(message, bytes)
                   else json.dumps(message).encode())

    def read(self, seconds=0.1):
        if not select.select([self.socket], [], [], seconds)[0]:
            return
        data = self.socket.recv(1 << 16)
        if not data:
            raise Gone("the connection has ended: %s" % self.closed)
        self.rest += data
        while self.take_frame():
            pass

    def take_frame(self):
        if len(self.rest) < 2:
            return False
        n, at = self.rest[1] & 127, 2
        if n >= 126:
            at = 4 if n == 126 else 10
            if len(self.rest) < at:
                return False
            n = int.from_bytes(self.rest[2:at], "big")
        if len(self.rest) < at + n:
            return False
        kind, data = self.rest[0] & 15, self.rest[at:at + n]
        self.rest = self.rest[at + n:]
        if kind == TEXT:
            self.take(json.loads(data))
        elif kind == CLOSE:
            self.closed = int.from_bytes(data[:2], "big")
        elif kind == PING:
            self.frame(PONG, data)
        else:
            self.other.append((kind, data))
        return True

    def until_closed(self):
        """The status of the server's close; 0: it had none."""
        try:
            self.until(lambda: self.closed is not None)
        except Gone:
            pass
        return self.closed or 0

    def initialize(self, version=1, **capabilities):
        info = {"name": self.name, "version": "1"}
        return self.request("initialize", {
            "protocolVersion": version, "clientInfo": info,
            "clientCapabilities": capabilities, "info": info,
            "capabilities": capabilities})

    def load(self, session, method="session/load", **more):
        return self.request(method, {"sessionId": session, "mcpServers": [],
                                     "cwd": self.place.work, **more})


def ready(port, **more):
    """An editor that is initialized."""
    ed = Remote(port, **more)
    ed.initialize()
    return ed
