# SPDX-License-Identifier: GPL-3.0-or-later
"""listener.py - a program that listens on a port or a socket, and connections
to it.

    with listener.Server(place, [home.program("agentsh"), "bus", "--listen",
                                 "127.0.0.1:0"]) as server, \\
         listener.Connection(server.at) as peer:
        peer.send(b"GET /health HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
        status, headers = peer.head()
"""

import base64
import os
import re
import select
import socket
import struct
import subprocess
import time

PATIENCE = 20
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Gone(Exception):
    """The other side has closed the connection, or sends nothing."""


class Silence(Gone):
    """Nothing has come in time."""


class Server:
    """A program that writes to its log, on standard error, where it listens:
    `at` is an address and a port, or the path of a socket."""

    def __init__(self, place, argv, cwd=None, env=None, **more):
        self.place = place
        self.how = {"args": argv, "cwd": cwd or place.work,
                    "env": {**place.env, **(env or {})},
                    "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
                    "stderr": subprocess.PIPE, **more}
        self.start()

    def start(self):
        self.child = subprocess.Popen(**self.how)
        self.pid = self.child.pid
        self.log = b""
        os.set_blocking(self.child.stderr.fileno(), False)
        self.until(lambda: b": listening" in self.log or
                   self.child.poll() is not None)
        found = re.search(rb"(?:unix:(\S+)|tcp:(\S+):(\d+)|fd:\d+): listening",
                          self.log)
        if not found:
            self.close()
            raise Gone(self.log.decode())
        self.at = found[1].decode() if found[1] else \
            found[2] and (found[2].decode(), int(found[3]))

    def until(self, condition, seconds=PATIENCE):
        """Reads the log until the condition is true: whether it is."""
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            if not select.select([self.child.stderr], [], [], 0.05)[0]:
                continue
            part = self.child.stderr.read(1 << 16)
            if part == b"":
                break  # it has ended
            self.log += part or b""
        return condition()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self, signo=15):
        """Ends it by a signal: the exit status."""
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

    @property
    def host(self):
        """For the header of that name."""
        return "localhost" if isinstance(self.at, str) else "%s:%d" % self.at


class Connection:
    """A socket; `rest` has come and is not taken yet."""

    def __init__(self, at):
        self.socket = socket.socket(
            socket.AF_UNIX if isinstance(at, str) else socket.AF_INET)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(at)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self, seconds=PATIENCE):
        """Waits for bytes, and adds them to `rest`."""
        self.socket.settimeout(max(0.001, seconds))
        try:
            data = self.socket.recv(1 << 18)
        except TimeoutError as why:
            raise Silence("silence") from why
        except OSError as why:
            raise Gone(repr(why)) from why
        finally:
            self.socket.settimeout(PATIENCE)
        if not data:
            raise Gone("the end")
        self.rest += data

    def receive(self, n):
        while len(self.rest) < n:
            self.more()
        data, self.rest = self.rest[:n], self.rest[n:]
        return data

    def line(self):
        while b"\r\n" not in self.rest:
            self.more()
        line, self.rest = self.rest.split(b"\r\n", 1)
        return line.decode("latin-1")

    def head(self):
        """The status and the headers of an HTTP response."""
        status = int(self.line().split()[1])
        headers = {}
        while line := self.line():
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        return status, headers

    def is_closed(self, seconds=PATIENCE):
        """Whether the server closes it; what it sends before is dropped."""
        self.socket.settimeout(seconds)
        try:
            while self.socket.recv(1 << 18):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True


UPGRADE = ("GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
           "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: %s\r\n%s\r\n")


def upgrade(path="/", host="localhost", fields=""):
    """The request that makes a WebSocket of a connection; fields: further
    headers, each with its end of line."""
    return UPGRADE % (path, host, base64.b64encode(os.urandom(16)).decode(),
                      fields)


def frame(opcode, data):
    """A whole frame of a client."""
    n, mask = len(data), os.urandom(4)
    size = struct.pack("!B", 128 | n) if n < 126 else \
        struct.pack("!BH", 254, n) if n < 1 << 16 else \
        struct.pack("!BQ", 255, n)
    key = (mask * (n // 4 + 1))[:n]
    masked = int.from_bytes(data, "big") ^ int.from_bytes(key, "big")
    return bytes([128 | opcode]) + size + mask + masked.to_bytes(n, "big")


class WebSocket(Connection):
    """A client of a WebSocket; `upgraded`: the status and the headers of the
    answer to its request."""

    def __init__(self, at, **request):
        super().__init__(at)
        self.socket.sendall(upgrade(**request).encode())
        self.upgraded = self.head()

    def check(self):
        """Raises Gone where the request was refused."""
        if self.upgraded[0] != 101:
            raise Gone("refused with %d" % self.upgraded[0])

    def frame(self, opcode, data):
        self.socket.sendall(frame(opcode, data))

    def take_frame(self):
        """The opcode and the data of a frame that is whole; None: there is
        none yet."""
        if len(self.rest) < 2:
            return None
        n, at = self.rest[1] & 127, 2
        if n > 125:
            at = 4 if n == 126 else 10
            if len(self.rest) < at:
                return None
            n = int.from_bytes(self.rest[2:at], "big")
        if len(self.rest) < at + n:
            return None
        opcode, data = self.rest[0] & 15, self.rest[at:at + n]
        self.rest = self.rest[at + n:]
        return opcode, data
