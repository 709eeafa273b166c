# SPDX-License-Identifier: GPL-3.0-or-later
"""bus.py - agentsh bus in a home of its own, and clients on plain sockets.

    with home.Home() as place, bus.Bus(place, "--keep", "100") as b, \\
         b.client("a") as a:
        a.call("subscribe", topic="t")
"""

import itertools
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

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402

PATIENCE = 20
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Gone(Exception):
    """The bus has closed the connection, or says nothing."""


class Bus:
    """agentsh bus that listens; `within`: the words in front of it."""

    def __init__(self, place, *options, address="127.0.0.1:0", within=()):
        self.place = place
        self.child = subprocess.Popen(
            [*within, home.program("agentsh"), "bus", "--listen", address,
             *options],
            cwd=place.work, env=place.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.log = b""
        os.set_blocking(self.child.stderr.fileno(), False)
        self.until(lambda: b": listening" in self.log or
                   self.child.poll() is not None)
        found = re.search(rb"(unix:\S+|tcp:\S+): listening", self.log)
        if not found:
            raise Gone(self.log.decode())
        text = found[1].decode()
        self.unix = text.startswith("unix:")
        self.at = text[5:] if self.unix else \
            ("127.0.0.1", int(text.rsplit(":", 1)[1]))
        self.url = text if self.unix else "ws://127.0.0.1:%d/" % self.at[1]

    def until(self, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            if select.select([self.child.stderr], [], [], 0.05)[0]:
                self.log += self.child.stderr.read(1 << 16) or b""
        return condition()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self, signo=signal.SIGTERM):
        """Ends it by a signal; the exit status."""
        if self.child.poll() is None:
            self.child.send_signal(signo)
        try:
            self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        if not self.child.stderr.closed:
            self.log += self.child.stderr.read() or b""
            self.child.stderr.close()
        if b"Sanitizer" in self.log or b"runtime error:" in self.log:
            raise AssertionError(self.log.decode("utf-8", "replace"))
        return self.child.returncode

    def client(self, name=None, **more):
        return Client(self, name, **more)

    def get(self, path):
        """The body of an answer to GET."""
        with socket.create_connection(self.at, PATIENCE) as s:
            s.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n"
                      b"Connection: close\r\n\r\n" % path.encode())
            data = b""
            while part := s.recv(1 << 16):
                data += part
        return data.split(b"\r\n\r\n", 1)[1].decode()

    def memory_kb(self):
        """What the server holds."""
        with open("/proc/%d/status" % self.child.pid, encoding="ascii") as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])


def frame(opcode, data):
    """A frame of a client's, masked by zero."""
    n = len(data)
    head = bytes([0x80 | opcode])
    if n < 126:
        head += bytes([0x80 | n])
    elif n < 65536:
        head += b"\xfe" + struct.pack(">H", n)
    else:
        head += b"\xff" + struct.pack(">Q", n)
    return head + b"\0\0\0\0" + data


def message(method, number, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                       "params": params})


class Client:
    """A connection; with a name, one that has initialized."""

    def __init__(self, bus, name=None, token=None, fields=b""):
        if bus.unix:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(bus.at)
        else:
            self.socket = socket.create_connection(bus.at)
        self.numbers = itertools.count(1)
        self.rest = b""
        self.kept = []  # messages that nobody has asked for yet
        self.status = None
        auth = b"Authorization: Bearer %s\r\n" % token if token else b""
        self.socket.sendall(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + auth + fields + b"\r\n")
        while b"\r\n\r\n" not in self.rest:
            self.more(PATIENCE)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            raise Gone(head.split(b"\r\n")[0].decode())
        if name:
            self.result("initialize", clientId=name)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self.socket.close()

    def abort(self):
        """Leaves without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                               struct.pack("ii", 1, 0))
        self.socket.close()

    def more(self, seconds):
        if not select.select([self.socket], [], [], max(0, seconds))[0]:
            raise Gone("nothing came")
        try:
            data = self.socket.recv(1 << 18)
        except OSError as why:
            raise Gone(str(why)) from why
        if not data:
            raise Gone("closed")
        self.rest += data

    def write(self, text):
        if isinstance(text, str):
            text = text.encode()
        self.socket.sendall(frame(TEXT, text))

    def take_frame(self):
        """The next frame that has come; None: there is none yet."""
        data = self.rest
        if len(data) < 2:
            return None
        n, at = data[1] & 127, 2
        if n > 125:
            size = 2 if n == 126 else 8
            if len(data) < at + size:
                return None
            n, at = int.from_bytes(data[at:at + size], "big"), at + size
        if len(data) < at + n:
            return None
        self.rest = data[at + n:]
        return data[0] & 15, data[at:at + n]

    def read(self, seconds=PATIENCE):
        """The next message of the bus."""
        end = time.monotonic() + seconds
        while True:
            got = self.take_frame()
            if got is None:
                self.more(end - time.monotonic())
            elif got[0] == CLOSE:
                self.status = int.from_bytes(got[1][:2], "big")
                raise Gone("closed by %d" % self.status)
            elif got[0] == PING:
                self.socket.sendall(frame(PONG, got[1]))
            elif got[0] == TEXT:
                return json.loads(got[1])

    def find(self, fits, seconds=PATIENCE):
        """The next message that fits; the others are kept."""
        for i, m in enumerate(self.kept):
            if fits(m):
                return self.kept.pop(i)
        end = time.monotonic() + seconds
        while True:
            m = self.read(end - time.monotonic())
            if fits(m):
                return m
            self.kept.append(m)

    def send(self, method, **params):
        """Sends a request: its id."""
        number = "r%d" % next(self.numbers)
        self.write(message(method, number, **params))
        return number

    def answer(self, number, seconds=PATIENCE):
        return self.find(lambda m: m.get("id") == number and
                         "method" not in m, seconds)

    def call(self, method, **params):
        return self.answer(self.send(method, **params))

    def result(self, method, **params):
        m = self.call(method, **params)
        if "result" not in m:
            raise AssertionError(json.dumps(m))
        return m["result"]

    def code(self, method, **params):
        return self.call(method, **params).get("error", {}).get("code")

    def publish(self, topic, seconds=PATIENCE, **payload):
        """What the sender is told."""
        number = self.send("sendMessage", topic=topic, payload=payload)
        return self.answer(number, seconds)["result"]

    def message(self, seconds=PATIENCE):
        """The next message of a topic: its id and its params."""
        m = self.find(lambda m: m.get("method") == "sendMessage", seconds)
        return m["id"], m["params"]

    def reply(self, number, stop=False):
        self.write(json.dumps({"jsonrpc": "2.0", "id": number, "result": {
            "success": True, "stopPropagation": stop}}))

    def fail(self, number):
        self.write(json.dumps({"jsonrpc": "2.0", "id": number, "error": {
            "code": -32000, "message": "no"}}))

    def take(self, stop=False):
        """The next message of a topic, which is answered: its params."""
        number, params = self.message()
        self.reply(number, stop)
        return params

    def silent(self, seconds=0.2):
        """Whether no message of a topic comes."""
        try:
            self.message(seconds)
        except Gone:
            return True
        return False
