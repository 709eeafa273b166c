# SPDX-License-Identifier: GPL-3.0-or-later
"""http1.py - one HTTP/1.1 connection, with every byte under control.

The standard library's server would mend what these tests want broken, so
requests are read and answers are written by hand.
"""

import dataclasses
import json
import select
import socket
import struct
import time
import urllib.parse

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized",
           403: "Forbidden", 404: "Not Found", 413: "Content Too Large",
           422: "Unprocessable Content", 429: "Too Many Requests",
           500: "Internal Server Error", 502: "Bad Gateway",
           503: "Service Unavailable", 504: "Gateway Timeout"}


class Gone(Exception):
    """The peer has left, or asked for what no client would."""


@dataclasses.dataclass
class Request:
    method: str
    target: str
    version: str
    headers: list
    body: bytes = b""
    connection: int = 0  # its number, from 1

    @property
    def path(self):
        return urllib.parse.urlsplit(self.target).path

    @property
    def query(self):
        return urllib.parse.urlsplit(self.target).query

    @property
    def json(self):
        """The body as an object; an empty one when it is none."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def header(self, name):
        for key, value in self.headers:
            if key.lower() == name:
                return value
        return None


class Connection:
    """Reads requests with a buffer, writes without one."""

    def __init__(self, sock):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = sock
        self.seen = b""

    def more(self):
        data = self.sock.recv(65536)
        if not data:
            raise Gone("end of file")
        self.seen += data

    def take_until(self, end, limit=65536):
        while end not in self.seen:
            if len(self.seen) > limit:
                raise Gone("a head without end")
            self.more()
        head, self.seen = self.seen.split(end, 1)
        return head

    def take(self, n):
        while len(self.seen) < n:
            self.more()
        data, self.seen = self.seen[:n], self.seen[n:]
        return data

    def request(self):
        """The next request, or None when the peer is done."""
        try:
            lines = self.take_until(b"\r\n\r\n").decode("latin-1")
        except Gone:
            return None
        first, *rest = lines.split("\r\n")
        method, target, version = first.split(" ")
        headers = [tuple(part.strip() for part in line.split(":", 1))
                   for line in rest]
        return Request(method, target, version, headers)

    def read_body(self, request):
        """Reads the body, and asks for it first where that is expected."""
        if (request.header("expect") or "").lower() == "100-continue":
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in (request.header("transfer-encoding") or ""):
            while size := int(self.take_until(b"\r\n").split(b";")[0], 16):
                request.body += self.take(size)
                self.take(2)
            self.take_until(b"\r\n")
        else:
            request.body = self.take(
                int(request.header("content-length") or 0))

    def send(self, data):
        try:
            self.sock.sendall(data)
        except OSError as why:
            raise Gone(str(why)) from why

    def wait(self, seconds):
        """Waits, and raises Gone as soon as the peer leaves."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.sock], [], [], left)[0]:
                try:
                    self.more()
                except OSError as why:
                    raise Gone(str(why)) from why

    def hang(self):
        """Says nothing more until the peer leaves."""
        self.wait(3600)

    def reset(self):
        """Ends the connection with RST: what was sent may be lost."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                             struct.pack("ii", 1, 0))
        self.sock.close()
        raise Gone("reset")

    def head(self, status, headers, version="1.1", reason=None):
        lines = ["HTTP/%s %d %s" % (version, status,
                                    reason or REASONS.get(status, "Odd"))]
        lines += ["%s: %s" % pair for pair in headers]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    def chunk(self, data):
        """One chunk of a chunked body; none for no data, it would end it."""
        if data:
            self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def last_chunk(self):
        self.send(b"0\r\n\r\n")
